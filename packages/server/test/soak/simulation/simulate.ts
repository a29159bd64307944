import { issueKey, markOrder, refundOrder, retryOrder, settleReconciliation } from '@topup-kit/core/engine';
import { seededRandom } from '@topup-kit/core/platform';
import { type Catalog, createMemoryStore, type Store, type StoredUnit } from '@topup-kit/core/store';
import { buyStatusOf, expectHistory, expectStore, isBought, type Snapshot, takeSnapshot } from './check.ts';
import {
  closeReconciliation,
  expectError,
  expectOneOf,
  expectSame,
  expired,
  Mismatch,
  type Model,
  type ModelOrder,
  placed,
  promoValidated,
  recovered,
  refunded,
  reported,
  type Seen,
  settled,
  worked,
} from './model.ts';
import { openShop, type Shop, sha256, start } from './shop.ts';
import { describe, type Single, type Step, type World } from './steps.ts';

/** The keys of two accounts, the same in every world. */
const accounts = await Promise.all(
  ['first', 'second'].map((accountId) =>
    issueKey(
      { store: createMemoryStore(), hash: sha256, random: seededRandom(sha256, accountId), realClock: () => start },
      { mode: 'test', accountId, name: accountId, scopes: ['catalog:read', 'orders:read', 'orders:write'] },
    ),
  ),
);

type Of<Does extends Step['does']> = Extract<Step, { does: Does }>;

/** A step that was done: what the model makes of it, given what is in the store afterwards. */
type Done = (model: Model, after: Snapshot) => Model;

/** Plays a world, and compares every step with the model. `tell` gets each step and what came of it, as a line. */
class Play {
  readonly #shop: Shop;
  #model: Model;
  #before: Snapshot = { orders: new Map(), reserved: new Map(), reconciliations: [] };
  readonly #sent: Pick<Of<'order'>, 'account' | 'key' | 'body'>[] = [];
  /** Items whose outcome an operator decided. */
  readonly #marked = new Set<string>();
  readonly #tell: (line: string) => void;
  #isRace = false;

  constructor(shop: Shop, catalog: Catalog, tell: (line: string) => void) {
    this.#shop = shop;
    this.#tell = tell;
    this.#model = { now: start, catalog, orders: [], keys: new Map(), reconciliations: [] };
  }

  async #send(account: number, method: string, path: string, body?: object, key?: number | null): Promise<Seen> {
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
    this.#tell(`   ${method} ${path} ${seen.status} ${seen.text}`);
    return seen;
  }

  /** What may come of a new order (open points: creating an order). */
  #creations(isKilled: boolean): string[] {
    const { create, look } = this.#shop.providers.weather;
    if (this.#shop.place.gateway === 'local') return isKilled ? ['killed nowhere', 'killed visible'] : ['201 visible'];
    if (isKilled) return ['killed nowhere', 'killed reserved', ...(create === 'works' || create === 'lost' ? ['killed visible'] : [])];
    const afterLook = { works: '201 visible', lost: '201 visible', never: '500 nowhere', rejected: '500 nowhere' }[create];
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
      const known = (id: string): boolean => model.orders.some((one) => one.id === id) || (isRace && id !== own);
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
        const order = this.#order(step.order);
        const from = { later: clock.now, expiry: order?.expiresAt, key: order && order.createdAt + 24 * 60 * 60_000 }[step.to];
        clock.now = Math.max(clock.now, (from ?? clock.now) + step.by);
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
        return this.#operate(step);
      case 'change':
        return this.#change(step);
    }
  }

  async #read({ order: index, account, invoice, dies }: Of<'read'>): Promise<Done> {
    const order = this.#order(index);
    const path = (id: string): string => `/invoice/${id}${invoice ? '' : '/payment-status'}`;
    const missing = await this.#send(account, 'GET', path('INV-20260501120000-AAAAAAAA'));
    expectError(missing, 'INVOICE_NOT_FOUND');
    if (!order) return (model) => model;
    const seen = await this.#shop.killedAt(dies, () => this.#send(account, 'GET', path(order.id)));
    return (model, after) => {
      const now = model.orders.find(({ id }) => id === order.id);
      if (!now || now.isReserved || now.account !== account) {
        if (seen) expectSame("the response to another account's order", seen.text, missing.text);
        return model;
      }
      const next = expired(model, now);
      if (!seen) return after.orders.get(order.id)?.order.paymentStatus === 'UNPAID' ? model : next;
      const json = JSON.parse(seen.text);
      const shown = invoice ? json.order : json.data;
      const payment = next.orders.find(({ id }) => id === order.id)?.payment ?? 'missing';
      expectSame('the payment status', [seen.status, shown?.payment_status], [200, payment]);
      const units = after.orders.get(order.id)?.units ?? [];
      if (!this.#isRace && payment !== 'missing') expectSame('the buy status', shown.buy_status, buyStatusOf(payment, units));
      expectSame('the expiry', shown.expired_time, Math.floor(order.expiresAt / 1_000));
      if (invoice) expectSame('the total and the quantity', [shown.total_price, shown.quantity], [order.total, order.quantity]);
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
    const news = { status, amount: Math.max(0, payment.amount + wrongBy), at };
    payment.events.push(news);
    const { reference, orderId } = payment;
    const before = this.#before.orders.get(orderId)?.order.buyStatus;
    const apply: Done = (model) => {
      const current = model.orders.find(({ id }) => id === orderId);
      return current && !current.isReserved ? reported(model, current, news, before === 'Gagal') : model;
    };
    const send = async (): Promise<number> => {
      if (place.gateway === 'local') {
        await service().engine.handlePaymentEvent({ reference, ...news });
        return 200;
      }
      const body = JSON.stringify({ reference, orderId, report: news, confirm: false });
      const { app } = service();
      const { status: code } = await app.fetch(new Request('http://shop.test/callback/paygate', { method: 'POST', body }));
      return code;
    };
    if (callback === 'lost') return (model) => model;
    if (callback === 'twice') await this.#shop.killedAt(dies, send);
    // A gateway sends a callback again until it is accepted.
    const code = (await this.#shop.killedAt(dies, send)) ?? (await send());
    this.#tell(`   callback of ${orderId}: ${code}`);
    if (!order.isReserved) expectSame('the response to the callback', code, 200);
    return order.isReserved ? (model) => model : apply;
  }

  async #work({ dies }: Of<'work'>): Promise<Done> {
    const { providers, place } = this.#shop;
    const isKilled = (await this.#shop.killedAt(dies, async () => {
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
          expectSame(`whether the gateway has a payment of ${id}, which is no longer reserved`, payment !== undefined, after.orders.has(id));
          next = recovered(next, order, after.orders.has(id));
        }
        // What was only found now may expire in the next run.
        const isEarly = isKilled || order.isReserved;
        next = chosen(next, id, after, canAsk ? (payment?.events[0] ?? null) : null, isEarly);
        const units = after.orders.get(id)?.units ?? [];
        if (!isKilled && !isRace && supply !== 'silent' && order.payment === 'PAID')
          expectSame(`the items of ${id} that were never submitted`, units.filter(isUntouched), []);
      }
      return next;
    };
  }

  async #operate({ command, which }: Of<'operator'>): Promise<Done> {
    const { store, clock, providers } = this.#shop;
    const deps = { store, worldClock: () => clock.now };
    const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
      try {
        await work();
        return true;
      } catch (error) {
        if (error instanceof Error && ['DomainError', 'UnitsError'].includes(error.name)) return false;
        throw error;
      }
    };
    if (command === 'settle' || command === 'return') return this.#reconcile(command, which, attempt);
    const order = this.#order(which);
    if (!order || order.isReserved) return (model) => model;
    const { id } = order;
    const units = await store.findUnits(id);
    if (command === 'mark') {
      const open = units.filter(({ state }) => state === 'asked' || state === 'unknown');
      // By the books of the supplier, one after the other.
      for (const { unit, attempt: number } of open) {
        const booked = providers.purchases.get(`${id}-${unit}-${number}`);
        if (booked?.state === 'pending') continue;
        this.#marked.add(`${id}-${unit}-${number}`);
        const outcome = isBought(booked) ? 'delivered' : 'failed';
        await attempt(() => markOrder(deps, id, { outcome, unit, note: 'by the books' }));
      }
      return (model) => model;
    }
    const isDone = await attempt(() => (command === 'refund' ? refundOrder(deps, id) : retryOrder(deps, id)));
    const wasBought = units.some((one) => one.state === 'delivered');
    return (model, after) => {
      const current = model.orders.find((one) => one.id === id);
      const buy = current && buyStatusOf(current.payment, units);
      const isPaid = current?.payment === 'PAID';
      // Of an order in delivery, the open points say nothing; but what was delivered is not paid back.
      const allowed = isPaid && buy === 'Gagal' ? ['done'] : isPaid && buy === 'Proses' && !(command === 'refund' && wasBought) ? ['done', 'rejected'] : ['rejected'];
      if (!this.#isRace) expectOneOf(`${command} of ${id}, ${current?.payment} / ${buy},`, isDone ? 'done' : 'rejected', allowed);
      if (!isDone || !current) return model;
      if (command === 'retry') {
        const again = after.orders.get(id)?.units.filter((one) => units.some((old) => old.unit === one.unit && old.attempt + 1 === one.attempt));
        if (!again?.length) throw new Mismatch(`the retry of ${id} started no attempt`);
        return model;
      }
      return refunded(model, current);
    };
  }

  async #reconcile(command: 'settle' | 'return', which: number, attempt: (work: () => Promise<unknown>) => Promise<boolean>): Promise<Done> {
    const { store, clock } = this.#shop;
    const index = which % (this.#model.reconciliations.length || 1);
    const known = this.#model.reconciliations[index];
    const stored = this.#before.reconciliations.find(
      (one) => known && one.orderId === known.orderId && one.amount === known.amount && one.paidAt === known.at && one.reason === known.reason,
    );
    if (!known || !stored) return (model) => model;
    const { reconciliationId } = stored;
    if (command === 'return') {
      await store.returnReconciliation(reconciliationId, 'by transfer');
      return (model) => (known.state === 'open' ? closeReconciliation(model, index, 'returned') : model);
    }
    const isDone = await attempt(() => settleReconciliation({ store, worldClock: () => clock.now }, reconciliationId));
    return (model) => {
      const next = settled(model, index);
      expectSame(`whether the payment to ${known.orderId} is settled`, isDone, next !== null);
      return next ?? model;
    };
  }

  async #change(step: Of<'change'>): Promise<Done> {
    const catalog = changedCatalog(this.#model.catalog, step);
    const outcome = await this.#shop.store.replaceCatalog(catalog);
    return (model) => {
      const isBelow = catalog.promos.some(({ code, quota }) => {
        const uses = model.orders.filter((one) => one.promo === code && one.holds === true).length;
        return quota !== null && uses > quota;
      });
      expectSame('whether the catalogue is replaced', 'done' in outcome, !isBelow);
      return isBelow ? model : { ...model, catalog };
    };
  }

  /** Two steps at once are the same as one after the other, in one of the two orders. */
  async #race({ both }: Of<'race'>): Promise<Done[]> {
    const [first, second] = both.map((one) => ('dies' in one ? { ...one, dies: null } : one));
    if (!first || !second) return [];
    // What comes of a payment that fails is open for itself.
    this.#isRace = this.#shop.providers.weather.create === 'works';
    if (!this.#isRace) return [await this.#does(first)];
    this.#shop.race(true);
    const [one, other] = await Promise.all([this.#does(first), this.#does(second)]);
    this.#shop.race(false);
    return [
      (model, after) => other(one(model, after), after),
      (model, after) => one(other(model, after), after),
    ];
  }

  async step(step: Step): Promise<void> {
    this.#tell(describe(step));
    const possible = step.does === 'race' ? await this.#race(step) : [await this.#does(step)];
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
    if (mismatches.length === possible.length) throw mismatches[0];
    this.#isRace = false;
    this.#before = after;
  }

  /** After a day and a half without any trouble, nothing is open that the shop could close by itself. */
  async end(): Promise<void> {
    const { place, providers, store } = this.#shop;
    const { clock, service } = this.#shop;
    Object.assign(providers.weather, { create: 'works', look: true, supply: 'delivered' });
    const begin = clock.now;
    for (const wait of waits) {
      clock.now += wait;
      await service().engine.dueWork.run();
    }
    this.#model = { ...this.#model, now: clock.now };
    await this.step({ does: 'work', dies: null });
    this.#tell('in the end');
    for (const order of this.#model.orders) {
      expectSame(`whether ${order.id} is still open`, [order.isReserved, order.payment === 'UNPAID'], [false, false]);
      const stored = this.#before.orders.get(order.id);
      const open = stored?.units.filter(({ state }) => state === 'waiting' || state === 'asked') ?? [];
      expectSame(`the items of ${order.id} that are still open`, open, []);
      if (stored) await expectHistory(store, stored);
    }
    if (place.gateway === 'local') return;
    for (const { orderId, events: [first] } of providers.payments.values()) {
      const order = this.#model.orders.find(({ id }) => id === orderId);
      if (first?.status !== 'paid' || !order || order.payment === 'FAILED' || begin > order.expiresAt + 5 * 3_600_000) continue;
      const isKnown =
        (order.paidAt === first.at && order.payment !== 'EXPIRED') ||
        this.#model.reconciliations.some((one) => one.orderId === orderId && one.at === first.at && one.amount === first.amount) ||
        order.payment === 'PAID' || order.payment === 'REFUND';
      if (!isKnown) throw new Mismatch(`nobody knows that ${orderId} was paid`);
    }
  }
}

/** In milliseconds: longer than every time-out, every gap between questions and every pause after a failure. */
const waits = [0, 1_000, 35_000, 70_000, 6 * 60_000, 20 * 60_000, 2 * 3_600_000, 5 * 3_600_000, 29 * 3_600_000];

const isUntouched = ({ state, askedAt }: StoredUnit): boolean => state === 'waiting' && askedAt === null;

/** The alternative of an order after the due work that fits what is in the store. */
function chosen(model: Model, id: string, after: Snapshot, first: Parameters<typeof worked>[2], isKilled: boolean): Model {
  const order = model.orders.find((one) => one.id === id);
  if (!order || order.isReserved) return model;
  const status = after.orders.get(id)?.order.paymentStatus ?? 'missing';
  const count = after.reconciliations.filter(({ orderId }) => orderId === id).length;
  const all = worked(model, order, first, isKilled);
  const paymentOf = (one: Model): string => one.orders.find((other) => other.id === id)?.payment ?? 'missing';
  const found = all.find(
    (one) => paymentOf(one) === status && one.reconciliations.filter(({ orderId }) => orderId === id).length === count,
  );
  if (found) return found;
  throw new Mismatch(`after the due work ${id} is ${status} with ${count} payments to reconcile, and should be ${all.map(paymentOf).join(' or ')}`);
}

/** The request of a client that sends it again. */
function changed(earlier: Pick<Of<'order'>, 'account' | 'key' | 'body'>, change: Of<'again'>['change']): typeof earlier {
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

function changedCatalog(catalog: Catalog, { what, which, value }: Of<'change'>): Catalog {
  const games = catalog.games.map((game, index) => {
    if (what === 'game' && index === which) return { ...game, status: value > 0 };
    const products = game.products.map((one) => {
      if (one.id !== which + 1) return one;
      if (what === 'price') return { ...one, selling_price: one.selling_price + value };
      if (what === 'promo price') return { ...one, is_promo: value > 1, promo_price: 10_000 + value };
      return what === 'product' ? { ...one, status: value > 0 } : one;
    });
    return { ...game, products };
  });
  const payment_methods = catalog.payment_methods.map((one, index) =>
    what === 'method' && index === which ? { ...one, status: value > 0 } : one,
  );
  const promos = catalog.promos.map((one, index) => {
    if (index !== which) return one;
    if (what === 'promo') return { ...one, status: value > 0 };
    return what === 'quota' ? { ...one, quota: value } : one;
  });
  return { ...catalog, games, payment_methods, promos };
}

/**
 * Plays a world to its end over an empty store.
 *
 * @throws Mismatch when the service does what the model doesn't allow.
 */
export async function play({ place, catalog, steps }: World, store: Store, tell: (line: string) => void = () => {}): Promise<void> {
  await store.replaceCatalog(catalog);
  for (const { stored } of accounts) await store.createKey(stored);
  const world = new Play(openShop(place, store), catalog, tell);
  for (const one of steps) await world.step(one);
  await world.end();
}
