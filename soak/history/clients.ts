import { setTimeout as wait } from 'node:timers/promises';
import { markOrder, refundOrder, retryOrder } from '@topup-kit/core/engine';
import { type RandomBytes, randomBelow } from '@topup-kit/core/platform';
import { supplyReference } from '@topup-kit/core/supplier';
import { type Store, sha256Hex } from '../../packages/server/src/internal.ts';
import { fixtureOrder } from '../../packages/server/test/helpers/sandbox.ts';
import type { Response, Sender } from './http.ts';
import type { Operation, Recorder, Shown } from './operation.ts';
import { behaviourOf, callbackToken, gatewayName, referenceOf, supplierName } from './providers.ts';
import type { Effect } from './rules.ts';

export interface Account {
  account: string;
  apiKey: string;
}

/** Server and its URL; null while it is killed. */
export interface Place {
  name: string;
  baseUrl: string | null;
}

/** Order as the clients know it. */
interface Ours extends Account {
  key: string;
  isWallet: boolean;
  /** Time of its payment, in unix milliseconds. It is always in time and always the same, so that repeated payments count as one. */
  paidAt: number;
  orderId: string | null;
  total: number;
}

/** State that the clients share. */
export interface World {
  places: readonly Place[];
  accounts: readonly Account[];
  store: Store;
  sender: Sender;
  recorder: Recorder;
  random: RandomBytes;
  /** Newest orders, which most operations use. */
  hot: Ours[];
  /** Some older orders, which are read again later. */
  old: Ours[];
  placed: number;
  /** Number of requests with a 503 response. The server did nothing for them, so they are not recorded. */
  rejected: number;
}

const mostHot = 24;
const mostOld = 5_000;

/** One in this number of requests is cut off, and the maximum delay of the cut after sending, in milliseconds. */
const cutRarity = 150;
const maxCutMs = 4;

/** Tells whether a response is from a server that is down. A 503 means that nothing was done; a 500 means an unknown outcome. */
const isDown = ({ status }: Response): boolean => status === 503;
const isUnclear = ({ status }: Response): boolean => status === 500;

const now = (): number => performance.timeOrigin + performance.now();

type WithoutFrame<Recorded> = Recorded extends unknown ? Omit<Recorded, 'server' | 'start' | 'end'> : never;
type Told = WithoutFrame<Operation>;

class UnexpectedResponse extends Error {
  constructor(url: string, { status, body }: Response) {
    super(`${url} got ${status}: ${body.slice(0, 500)}`);
  }
}

/** Sends a request to a running server, and records the result; `read` extracts it, or returns undefined if the response says nothing. */
async function call(
  world: World,
  request: {
    path: string;
    isOfRoot?: boolean;
    method?: 'POST';
    headers: Record<string, string>;
    body?: object;
    unknown: Told;
  },
  read: (response: Response) => Told | undefined,
): Promise<Response | null> {
  const { places, sender, random, recorder } = world;
  const running = places.filter(({ baseUrl }) => baseUrl !== null);
  const place = running[randomBelow(random, running.length || 1)];
  if (!place?.baseUrl) {
    await wait(5);
    return null;
  }
  const url = request.isOfRoot ? new URL(request.path, place.baseUrl).href : place.baseUrl + request.path;
  const cutAfterMs = randomBelow(random, cutRarity) === 0 ? randomBelow(random, maxCutMs) : undefined;
  const start = now();
  const response = await sender.send(url, { ...request, cutAfterMs });
  const end = now();
  if (response && isDown(response)) {
    world.rejected += 1;
    await wait(20);
    return null;
  }
  const told = response && !isUnclear(response) ? read(response) : request.unknown;
  if (response && !told) throw new UnexpectedResponse(url, response);
  if (told) recorder.add({ ...told, server: place.name, start, end });
  return response && !isUnclear(response) ? response : null;
}

const of = ({ account, key }: Ours) => ({ account, key });

async function place(world: World, order: Ours, same = true): Promise<void> {
  const about = { does: 'place', ...of(order), same } as const;
  await call(
    world,
    {
      path: '/order',
      method: 'POST',
      headers: { 'X-API-KEY': order.apiKey, 'Idempotency-Key': order.key },
      body: {
        ...{ ...fixtureOrder, promo_code: undefined, id: order.key, quantity: 1 },
        ...{ payment_method_id: order.isWallet ? 19 : 12, product_id: same ? 901 : 902 },
      },
      unknown: { ...about, got: null },
    },
    (response) => {
      const body = JSON.parse(response.body);
      if (response.status === 409)
        return { ...about, got: { code: String(response.headers['x-error-code']) } };
      if (response.status !== 201) return undefined;
      order.orderId = String(body.orderId);
      order.total = Number(body.data.total_price);
      return {
        ...about,
        got: {
          orderId: order.orderId,
          isReplay: response.headers['idempotency-replayed'] === 'true',
          total: order.total,
          expires: Date.parse(body.data.expired_at) / 1_000,
          hash: sha256Hex(response.body).slice(0, 16),
        },
      };
    },
  );
}

interface WireOrder {
  order_id: string;
  id_games: string;
  payment_status: string;
  buy_status: string;
  total_price: number;
  expired_time: number;
}

const shown = (order: WireOrder): Shown => ({
  key: order.id_games,
  orderId: order.order_id,
  state: `${order.payment_status}/${order.buy_status}`,
  total: order.total_price,
  expires: order.expired_time,
});

async function readInvoice(world: World, order: Ours, by: 'status' | 'invoice'): Promise<void> {
  const about = { does: 'read', by, ...of(order) } as const;
  const path = `/invoice/${order.orderId}${by === 'status' ? '/payment-status' : ''}`;
  await call(
    world,
    { path, headers: { 'X-API-KEY': order.apiKey }, unknown: { ...about, got: null } },
    ({ status, body }) => {
      if (status === 404) return { ...about, got: 'none' };
      if (status !== 200) return undefined;
      const parsed = JSON.parse(body);
      if (by === 'invoice') return { ...about, got: shown(parsed.order) };
      const { order_id: orderId, payment_status, buy_status, expired_time: expires } = parsed.data;
      return { ...about, got: { orderId, state: `${payment_status}/${buy_status}`, expires } };
    },
  );
}

async function findByKey(world: World, order: Ours): Promise<void> {
  const about = { does: 'read', by: 'key', ...of(order) } as const;
  const path = `/orders?idempotency_key=${order.key}`;
  await call(
    world,
    { path, headers: { 'X-API-KEY': order.apiKey }, unknown: { ...about, got: null } },
    ({ status, body }) => {
      // The payment of the order is still being created.
      if (status === 409) return { ...about, got: null };
      if (status !== 200) return undefined;
      const [first] = JSON.parse(body).data;
      if (!first) return { ...about, got: 'none' };
      order.orderId = String(first.order_id);
      order.total = Number(first.total_price);
      return { ...about, got: shown(first) };
    },
  );
}

/** Reads a page. Returns the cursor of the next one, null after the last page, and undefined without a response. */
async function list(
  world: World,
  { account, apiKey }: Account,
  { limit, walk = null, cursor }: { limit: number; walk?: number | null; cursor?: string | undefined },
): Promise<string | null | undefined> {
  const about = { does: 'list', account, walk } as const;
  const path = `/orders?limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`;
  let next: string | null | undefined;
  await call(
    world,
    { path, headers: { 'X-API-KEY': apiKey }, unknown: { ...about, got: null } },
    ({ status, body }) => {
      if (status !== 200) return undefined;
      const { data, next_cursor } = JSON.parse(body);
      next = next_cursor;
      return { ...about, got: { orders: data.map(shown), more: next_cursor !== null } };
    },
  );
  return next;
}

async function callBack(
  world: World,
  order: Ours,
  path: string,
  effect: Effect,
  body: object,
): Promise<void> {
  const about = { does: 'change', effect, ...of(order) } as const;
  await call(
    world,
    {
      path,
      isOfRoot: true,
      method: 'POST',
      headers: { 'X-Callback-Token': callbackToken },
      body,
      unknown: { ...about, got: null },
    },
    (response) =>
      response.status === 200
        ? { ...about, got: JSON.parse(response.body).outcome === 'applied' ? 'changed' : 'nothing' }
        : undefined,
  );
}

const gatewaySays = (world: World, order: Ours, status: 'paid' | 'failed' | 'expired'): Promise<void> =>
  callBack(world, order, `/callback/${gatewayName}`, status, {
    ...{ reference: referenceOf(order.orderId ?? ''), orderId: order.orderId, confirm: false },
    report: { status, amount: order.total, at: order.paidAt },
  });

/** Reports the result of the first attempt, as the supplier does repeatedly. */
function supplierSays(world: World, { ...order }: Ours): Promise<void> {
  const reference = supplyReference({ orderId: order.orderId ?? '', unit: 1, attempt: 1 });
  const fails = behaviourOf(reference) === 'fails';
  const result = fails
    ? { state: 'failed', reason: 'out of stock' }
    : { state: 'delivered', serialNumber: `SN-${reference}` };
  return callBack(world, order, `/${supplierName}/webhook`, fails ? 'undelivered' : 'delivered', {
    reference,
    supplierId: null,
    result,
  });
}

const commands = {
  refunded: refundOrder,
  retried: retryOrder,
  'marked delivered': (deps: Parameters<typeof markOrder>[0], id: string) =>
    markOrder(deps, id, { outcome: 'delivered', note: 'by the books' }),
  'marked failed': (deps: Parameters<typeof markOrder>[0], id: string) =>
    markOrder(deps, id, { outcome: 'failed', note: 'by the books' }),
} satisfies Partial<Record<Effect, unknown>>;
const commandNames = Object.keys(commands) as (keyof typeof commands)[]; // Safe: these are the keys of a constant table.

/** Runs an operator's command, which changes the store while servers use it. */
async function operate({ store, recorder, random }: World, order: Ours): Promise<void> {
  const effect = commandNames[randomBelow(random, commandNames.length)] ?? 'refunded';
  const start = now();
  const got = await commands[effect](
    { store, worldClock: Date.now, operator: 'ani' },
    order.orderId ?? '',
  ).then(
    (result) => {
      const { paymentStatus } = 'order' in result ? result.order : result;
      // Marking a refunded order resolves a contradiction, and doesn't change its state.
      return paymentStatus === 'REFUND' && effect !== 'refunded'
        ? ('nothing' as const)
        : ('changed' as const);
    },
    (error: unknown) => {
      const { name, code } =
        error instanceof Error ? { code: null, ...error, name: error.name } : { name: '', code: null };
      if (name === 'DomainError' && code === 'INVOICE_NOT_FOUND') return 'none' as const;
      if (['DomainError', 'UnitsError', 'AmountError'].includes(name)) return 'nothing' as const;
      if (['PostgresError', 'StoreFileError'].includes(name)) return null;
      throw error;
    },
  );
  const frame = { server: 'an operator', start, end: now() };
  if (got === 'none') recorder.add({ does: 'read', by: 'operator', ...of(order), got, ...frame });
  else recorder.add({ does: 'change', effect, ...of(order), got, ...frame });
}

/** Places a new order. The key is sent once, or twice at the same time. */
async function placeNew(world: World): Promise<void> {
  const { random, accounts, hot, old } = world;
  // Two accounts use the same keys.
  const account = accounts[world.placed % accounts.length];
  if (!account) return;
  const key = `k${Math.floor(world.placed / accounts.length)}`;
  world.placed += 1;
  const order = {
    ...account,
    key,
    isWallet: randomBelow(random, 8) === 0,
    paidAt: Date.now(),
    orderId: null,
    total: 0,
  };
  hot.push(order);
  if (hot.length > mostHot) hot.shift();
  if (old.length < mostOld) old.push(order);
  else old[randomBelow(random, mostOld)] = order;
  await Promise.all(Array.from({ length: randomBelow(random, 4) === 0 ? 2 : 1 }, () => place(world, order)));
}

/** Operations by their weights. Those below the line need an order with an id. */
const operations: [number, (world: World, order: Ours) => Promise<unknown>][] = [
  [7, place],
  [8, findByKey],
  [1, (world, order) => (order.orderId === null ? place(world, order) : place(world, order, false))],
];
const operationsOfKnown: typeof operations = [
  [34, (world, order) => readInvoice(world, order, 'status')],
  [14, (world, order) => readInvoice(world, order, 'invoice')],
  [3, (world, order) => list(world, order, { limit: 20 })],
  [12, (world, order) => gatewaySays(world, order, 'paid')],
  [2, (world, order) => gatewaySays(world, order, 'failed')],
  [2, (world, order) => gatewaySays(world, order, 'expired')],
  // The gateway sends both at the same time; they exclude each other.
  [
    2,
    (world, order) =>
      Promise.all([
        gatewaySays(world, order, 'paid'),
        gatewaySays(world, order, randomBelow(world.random, 2) === 0 ? 'failed' : 'expired'),
      ]),
  ],
  [3, supplierSays],
  [8, operate],
];
const placeWeight = 8;

/** Runs one random operation. */
export async function act(world: World): Promise<void> {
  const { random, hot, old } = world;
  const from = old.length > 0 && randomBelow(random, 5) === 0 ? old : hot;
  const order = from[randomBelow(random, from.length || 1)];
  const choices = [...operations, ...(order?.orderId ? operationsOfKnown : [])];
  const total = choices.reduce((sum, [weight]) => sum + weight, 0);
  let left = randomBelow(random, total + placeWeight);
  if (!order || left >= total) return placeNew(world);
  for (const [weight, operation] of choices) {
    left -= weight;
    if (left < 0) return void (await operation(world, order));
  }
}

/** Reads all orders of each account completely. */
export async function readAll(world: World): Promise<void> {
  for (const [index, account] of world.accounts.entries()) {
    let cursor: string | undefined;
    for (;;) {
      const next = await list(world, account, { limit: 100, walk: index + 1, cursor });
      if (next === null) break;
      if (next !== undefined) cursor = next;
    }
  }
}
