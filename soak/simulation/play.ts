import { issueKey } from '@topup-kit/core/engine';
import { seededRandom } from '@topup-kit/core/platform';
import { type Catalog, createMemoryStore, type Store, type StoredUnit } from '@topup-kit/core/store';
import { hours, promoEnd, promoStart } from './catalog.ts';
import {
  buyStatusOf,
  expectHistory,
  expectSoundOrders,
  expectStore,
  inOrder,
  type Snapshot,
  takeSnapshot,
} from './check.ts';
import { answersOf, expectNamed, steps } from './ending.ts';
import {
  accountIds,
  expectError,
  expectSame,
  Mismatch,
  type Model,
  type ModelOrder,
  type Seen,
} from './model/model.ts';
import { placed, promoValidated, recovered } from './model/orders.ts';
import { expired, isAskedAbout, reported, worked } from './model/payments.ts';
import { changeCatalog, type Done, type Of, type OperatorView, operate } from './operators.ts';
import type { Weather } from './providers.ts';
import { openShop, type Shop, sha256, start } from './shop.ts';
import { describe, type Single, type Step, type World } from './steps.ts';

/** Keys of two accounts, which are the same in every world. */
const accounts = await Promise.all(
  accountIds.map((accountId) =>
    issueKey(
      {
        store: createMemoryStore(),
        hash: sha256,
        random: seededRandom(sha256, accountId),
        realClock: () => start,
      },
      { mode: 'test', accountId, name: accountId, scopes: ['catalog:read', 'orders:read', 'orders:write'] },
    ),
  ),
);

type Tell = ((line: string) => void) | null;

/** Plays a world, and compares every step with the model. `tell` gets each step and its result as a line. */
class Play {
  readonly #shop: Shop;
  #model: Model;
  #before: Snapshot = { orders: new Map(), reserved: new Map(), reconciliations: [], refunds: [] };
  readonly #sent: Pick<Of<'order'>, 'account' | 'key' | 'body'>[] = [];
  /** Items whose outcome an operator has decided. */
  readonly #marked = new Set<string>();
  readonly #tell: Tell;
  #isRace = false;

  constructor(shop: Shop, catalog: Catalog, tell: Tell) {
    this.#shop = shop;
    this.#tell = tell;
    this.#model = { now: start, catalog, orders: [], keys: new Map(), reconciliations: [] };
  }

  async #send(
    account: number,
    method: string,
    path: string,
    body?: object,
    key?: number | null,
  ): Promise<Seen> {
    const request = new Request(`http://shop.test/api${path}`, {
      method,
      headers: {
        'X-API-KEY': accounts[account]?.key ?? '',
        ...(body && { 'Content-Type': 'application/json' }),
        ...(typeof key === 'number' && { 'Idempotency-Key': `key-${key}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const response = await this.#shop.service().app.fetch(request);
    const seen = {
      status: response.status,
      code: response.headers.get('X-Error-Code'),
      text: await response.text(),
      replayed: response.headers.get('Idempotency-Replayed') === 'true',
    };
    this.#tell?.(`   ${method} ${path} ${seen.status} ${seen.text}`);
    return seen;
  }

  /** Returns the possible results of a new order (open points: creating an order). */
  #creations(isKilled: boolean): string[] {
    const { create, look } = this.#shop.providers.weather;
    if (this.#shop.place.gateway === 'local')
      return isKilled ? ['killed nowhere', 'killed visible'] : ['201 visible'];
    if (isKilled)
      return [
        'killed nowhere',
        'killed reserved',
        ...(create === 'works' || create === 'lost' ? ['killed visible'] : []),
      ];
    const afterLook = {
      works: '201 visible',
      lost: '201 visible',
      never: '500 nowhere',
      rejected: '500 nowhere',
    }[create];
    const isUnclear = create === 'lost' || create === 'never';
    return isUnclear ? ['500 reserved', ...(look ? [afterLook] : [])] : [afterLook];
  }

  async #place(request: Pick<Of<'order'>, 'account' | 'key' | 'body'>, dies: number | null): Promise<Done> {
    const isRace = this.#isRace;
    const seen = await this.#shop.killedAt(dies, () =>
      this.#send(request.account, 'POST', '/order', request.body, request.key),
    );
    const creations = this.#creations(seen === null);
    return (model, after) => {
      const own = seen?.status === 201 && !seen.replayed ? JSON.parse(seen.text).orderId : null;
      const known = (id: string): boolean =>
        model.orders.some((one) => one.id === id) || (isRace && id !== own);
      const visible = [...after.orders.values()].find(({ order }) => !known(order.orderId));
      const reserved = [...after.reserved.values()].find(({ orderId }) => !known(orderId));
      const order = visible?.order ?? reserved;
      const fresh = order ? { order, isReserved: !visible } : null;
      return placed(model, { ...request, seen, fresh, creations, isRace });
    };
  }

  #order(index: number): ModelOrder | undefined {
    return this.#model.orders[index % (this.#model.orders.length || 1)];
  }

  async #does(step: Single): Promise<Done> {
    const { providers, clock } = this.#shop;
    const nothing: Done = (model) => model;
    switch (step.does) {
      case 'order':
        this.#sent.push(step);
        return this.#place(step, step.dies);
      case 'again': {
        const earlier = this.#sent[step.which % this.#sent.length];
        return earlier ? this.#place(changed(earlier, step.change), step.dies) : nothing;
      }
      case 'read':
        return this.#read(step);
      case 'promo': {
        const seen = await this.#send(0, 'POST', '/promo/validate', step.body);
        return (model) => {
          promoValidated(model, step.body, seen);
          return model;
        };
      }
      case 'pay':
        return this.#pay(step);
      case 'advance': {
        clock.now = Math.max(clock.now, this.#momentOf(step) + step.by);
        return (model) => ({ ...model, now: clock.now });
      }
      case 'work':
        return this.#work(step);
      case 'weather': {
        const { does: _, ...weather } = step;
        Object.assign(providers.weather, weather);
        return nothing;
      }
      case 'operator':
        return operate(this.#shop, this.#operatorView(), step);
      case 'change':
        return changeCatalog(this.#shop.store, this.#model.catalog, step);
    }
  }

  /** Returns the moment from which a duration is counted. */
  #momentOf({ to, order: index }: Of<'advance'>): number {
    const order = this.#order(index);
    if (to === 'expiry' && order) return order.expiresAt;
    if (to === 'key' && order) return order.createdAt + 30 * 24 * hours;
    if (to === 'promo') return start + (index === 0 ? promoEnd : promoStart);
    return this.#shop.clock.now;
  }

  #operatorView(): OperatorView {
    return { model: this.#model, before: this.#before, marked: this.#marked, isRace: this.#isRace };
  }

  async #read({ order: index, account, invoice, dies }: Of<'read'>): Promise<Done> {
    const order = this.#order(index);
    const path = (id: string): string => `/invoice/${id}${invoice ? '' : '/payment-status'}`;
    if (!order) return (model) => model;
    const isMissing = order.isReserved || order.account !== account;
    const missing = isMissing && (await this.#send(account, 'GET', path('INV-20260501120000-AAAAAAAA')));
    if (missing) expectError(missing, 'INVOICE_NOT_FOUND');
    const seen = await this.#shop.killedAt(dies, () => this.#send(account, 'GET', path(order.id)));
    return (model, after) => {
      const now = model.orders.find(({ id }) => id === order.id);
      // A reserved order may become visible at the same moment.
      if (!now || (missing && (order.account !== account || seen?.status === 404))) {
        if (seen && missing) expectSame("the response to another account's order", seen.text, missing.text);
        return model;
      }
      if (now.isReserved && seen) expectError(seen, 'INVOICE_NOT_FOUND');
      const next = expired(model, now);
      if (!seen) return after.orders.get(order.id)?.order.paymentStatus === 'UNPAID' ? model : next;
      const json = JSON.parse(seen.text);
      const shown = invoice ? json.order : json.data;
      const payment = next.orders.find(({ id }) => id === order.id)?.payment ?? 'missing';
      expectSame('the payment status', [seen.status, shown?.payment_status], [200, payment]);
      const units = after.orders.get(order.id)?.units ?? [];
      if (!this.#isRace && payment !== 'missing')
        expectSame('the buy status', shown.buy_status, buyStatusOf(payment, units));
      expectSame('the expiry', shown.expired_time, Math.floor(order.expiresAt / 1_000));
      if (invoice)
        expectSame(
          'the total and the quantity',
          [shown.total_price, shown.quantity],
          [order.total, order.quantity],
        );
      return next;
    };
  }

  async #pay({ order: index, status, wrongBy, at: moment, callback, dies }: Of<'pay'>): Promise<Done> {
    const { providers, clock, place, service } = this.#shop;
    const payments = [...providers.payments.values()];
    const payment = payments[index % payments.length];
    const order = this.#model.orders.find(({ id }) => id === payment?.orderId);
    if (!payment || !order) return (model) => model;
    const at = moment === 'now' ? clock.now : Math.min(clock.now, order.expiresAt + moment);
    const event = { status, amount: Math.max(0, payment.amount + wrongBy), at };
    payment.events.push(event);
    const { reference, orderId } = payment;
    const before = this.#before.orders.get(orderId)?.order.buyStatus;
    const isRace = this.#isRace;
    const apply: Done = (model, after) => {
      const current = model.orders.find(({ id }) => id === orderId);
      if (!current || current.isReserved) return model;
      const now = after.orders.get(orderId)?.order;
      // An operator may just have ended its delivery, or started it again.
      const hasFailed = isRace && now?.buyStatus === 'Gagal' && now.paymentStatus === 'REFUND';
      const isRetried = isRace && now?.buyStatus === 'Proses' && now.paymentStatus === 'PAID';
      return reported(model, current, event, (before === 'Gagal' && !isRetried) || hasFailed);
    };
    const send = async (): Promise<number> => {
      if (place.gateway === 'local') {
        await service().engine.handlePaymentEvent({ reference, ...event });
        return 200;
      }
      const body = JSON.stringify({ reference, orderId, report: event, confirm: false });
      const { app } = service();
      const { status: code } = await app.fetch(
        new Request('http://shop.test/callback/paygate', { method: 'POST', body }),
      );
      return code;
    };
    if (callback === 'lost') return (model) => model;
    if (callback === 'twice') await this.#shop.killedAt(dies, send);
    // A gateway repeats a callback until it is accepted.
    const code = (await this.#shop.killedAt(dies, send)) ?? (await send());
    this.#tell?.(`   callback of ${orderId}: ${code}`);
    if (!order.isReserved) expectSame('the response to the callback', code, 200);
    return order.isReserved ? (model) => model : apply;
  }

  async #work({ dies }: Of<'work'>): Promise<Done> {
    const wasReserved = new Set(this.#model.orders.filter((one) => one.isReserved).map(({ id }) => id));
    const wasAskedAbout = new Set(this.#model.orders.filter(isAskedAbout).map(({ id }) => id));
    const { providers, place } = this.#shop;
    const isKilled =
      (await this.#shop.killedAt(dies, async () => {
        await this.#shop.service().engine.dueWork.run();
        return true;
      })) === null;
    const { look, supply } = providers.weather;
    const canAsk = place.gateway === 'remote' && look;
    const isRace = this.#isRace;
    return (model, after) => {
      let next = model;
      for (const { id } of model.orders) {
        const order = next.orders.find((one) => one.id === id);
        if (!order) continue;
        const payment = [...providers.payments.values()].find(({ orderId }) => orderId === id);
        if (order.isReserved) {
          if (after.reserved.has(id)) continue;
          expectSame(
            `whether the gateway has a payment of ${id}, which is no longer reserved`,
            payment !== undefined,
            after.orders.has(id),
          );
          next = recovered(next, order, after.orders.has(id));
        }
        // An order that was found only now, perhaps by another server, may expire in the next run.
        const isEarly = isKilled || wasReserved.has(id);
        const first = canAsk ? (payment?.events[0] ?? null) : null;
        // A callback about another payment may arrive between the request and its response.
        const isAsked = isRace && wasAskedAbout.has(id);
        next = chosen(next, id, after, first, { isKilled: isEarly, isAsked });
        const units = after.orders.get(id)?.units ?? [];
        if (!isKilled && !isRace && supply !== 'silent' && order.payment === 'PAID')
          expectSame(`the items of ${id} that were never submitted`, units.filter(isUntouched), []);
      }
      return next;
    };
  }

  /** Runs two steps at the same time. The result must be the same as one after the other, in one of the two orders. */
  async #race({ both }: Of<'race'>): Promise<Done[]> {
    const [first, second] = both.map((one) => ('dies' in one ? { ...one, dies: null } : one));
    if (!first || !second) return [];
    // The result of a failing payment is open even without a race.
    this.#isRace = this.#shop.providers.weather.create === 'works';
    if (!this.#isRace) return [await this.#does(first)];
    this.#shop.race(true);
    const [one, other] = await Promise.all([this.#does(first), this.#does(second)]);
    this.#shop.race(false);
    const inTurn: Done[] = [
      (model, after) => other(one(model, after), after),
      (model, after) => one(other(model, after), after),
    ];
    if (first.does !== 'work' && second.does !== 'work') return inTurn;
    // The other step may run between the two steps of due work: expiry, and the requests about payments.
    const allExpired = (model: Model): Model => model.orders.reduce(expired, model);
    return [
      ...inTurn,
      ...inTurn.map(
        (done): Done =>
          (model, after) =>
            done(allExpired(model), after),
      ),
    ];
  }

  async step(step: Step): Promise<void> {
    this.#tell?.(describe(step));
    const possible = step.does === 'race' ? await this.#race(step) : [await this.#does(step)];
    this.#expectNoErrors();
    const after = await takeSnapshot(this.#shop.store);
    const mismatches: unknown[] = [];
    for (const done of possible) {
      try {
        this.#model = await expectStore(this.#shop, done(this.#model, after), after, this.#marked);
        break;
      } catch (error) {
        mismatches.push(error);
      }
    }
    if (mismatches.length === possible.length)
      throw new Mismatch(
        mismatches.map((one) => (one instanceof Error ? one.message : String(one))).join('; or '),
        {
          cause: mismatches[0],
        },
      );
    this.#isRace = false;
    this.#before = after;
  }

  #expectNoErrors(): void {
    const [error] = this.#shop.internalErrors;
    if (error !== undefined) throw new Mismatch(`the service reported ${String(error)}`, { cause: error });
  }

  /**
   * Expects that after a day and a half without a fault, nothing is open that the shop could close itself. From 15 minutes after the last
   * fault on, alerts must name everything that waits for an operator.
   */
  async end(): Promise<void> {
    const { place, providers, store } = this.#shop;
    const { clock, service } = this.#shop;
    const begin = clock.now;
    const pass = async (supply: Weather['supply'], waits: readonly number[]): Promise<void> => {
      this.#tell?.(`without faults, purchases are ${supply}`);
      Object.assign(providers.weather, { create: 'works', look: true, supply });
      for (const wait of waits) {
        clock.now += wait;
        // Runs twice, because the results of the first run make more work due. A server runs it several times a second.
        for (let run = 0; run < 2; run += 1) await service().engine.dueWork.run();
        await expectNamed(this.#shop, await takeSnapshot(store), begin);
      }
    };
    const [first, next] = answersOf(place.seed);
    await pass(first, steps.first);
    await pass(next, steps.next);
    await pass('delivered', waits);
    this.#expectNoErrors();
    this.#model = { ...this.#model, now: clock.now };
    await this.step({ does: 'work', dies: null });
    this.#tell?.('in the end');
    await expectSoundOrders(store, this.#before);
    for (const order of this.#model.orders) {
      expectSame(
        `whether ${order.id} is still open`,
        [order.isReserved, order.payment === 'UNPAID'],
        [false, false],
      );
      const stored = this.#before.orders.get(order.id);
      const open = stored?.units.filter(({ state }) => state === 'waiting' || state === 'asked') ?? [];
      expectSame(`the items of ${order.id} that are still open`, open, []);
      if (stored) await expectHistory(store, stored);
    }
    if (place.gateway === 'local') return;
    for (const {
      orderId,
      events: [first],
    } of providers.payments.values()) {
      const order = this.#model.orders.find(({ id }) => id === orderId);
      if (
        first?.status !== 'paid' ||
        !order ||
        order.payment === 'FAILED' ||
        begin > order.expiresAt + 5 * hours
      )
        continue;
      const isKnown =
        (order.paidAt === first.at && order.payment !== 'EXPIRED') ||
        this.#model.reconciliations.some(
          (one) => one.orderId === orderId && one.at === first.at && one.amount === first.amount,
        ) ||
        order.payment === 'PAID' ||
        order.payment === 'REFUND';
      if (!isKnown) throw new Mismatch(`nobody knows that ${orderId} was paid`);
    }
  }
}

/** Steps of the clock in milliseconds. They exceed every timeout, every interval between requests and every pause after a failure. */
const waits = [0, 1_000, 35_000, 70_000, 6 * 60_000, 20 * 60_000, 2 * hours, 5 * hours, 29 * hours];

const isUntouched = ({ state, askedAt }: StoredUnit): boolean => state === 'waiting' && askedAt === null;

/** Returns the possible state of an order after the due work that matches the store. */
function chosen(
  model: Model,
  id: string,
  after: Snapshot,
  first: Parameters<typeof worked>[2],
  how: Parameters<typeof worked>[3],
): Model {
  const order = model.orders.find((one) => one.id === id);
  if (!order || order.isReserved) return model;
  const status = after.orders.get(id)?.order.paymentStatus ?? 'missing';
  const payments = inOrder(after.reconciliations.filter(({ orderId }) => orderId === id)).join(', ');
  const all = worked(model, order, first, how).map((one) => ({
    model: one,
    status: one.orders.find((other) => other.id === id)?.payment ?? 'missing',
    payments: inOrder(one.reconciliations.filter(({ orderId }) => orderId === id)).join(', '),
  }));
  const found = all.find((one) => one.status === status && one.payments === payments);
  if (found) return found.model;
  const expected = all.map((one) => `${one.status} with [${one.payments}]`).join(' or ');
  throw new Mismatch(
    `after the due work ${id} is ${status} with the payments to reconcile [${payments}], and should be ${expected}`,
  );
}

/** Returns the request of a client that sends it again. */
function changed(
  earlier: Pick<Of<'order'>, 'account' | 'key' | 'body'>,
  change: Of<'again'>['change'],
): typeof earlier {
  const { body, account } = earlier;
  switch (change) {
    case 'nothing':
      return earlier;
    case 'account':
      return { ...earlier, account: 1 - account };
    case 'quantity':
      return { ...earlier, body: { ...body, quantity: body.quantity === 2 ? 3 : 2 } };
    case 'writing':
      return { ...earlier, body: { ...body, id: ` ${body.id} `, promo_code: body.promo_code ?? '' } };
  }
}

/**
 * Plays a world to its end on an empty store.
 *
 * @throws Mismatch if the model doesn't allow the behaviour of the service.
 */
export async function play({ place, catalog, steps }: World, store: Store, tell: Tell = null): Promise<void> {
  await store.replaceCatalog(catalog);
  for (const { stored } of accounts) await store.createKey(stored);
  const world = new Play(openShop(place, store), catalog, tell);
  for (const one of steps) await world.step(one);
  await world.end();
}
