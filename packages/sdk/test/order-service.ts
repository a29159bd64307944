import type { Fetch } from '@topup-kit/sdk';
import { cutBody, stalledBody } from './responses.ts';

/**
 * The behaviour of the service for one attempt. `before` and `after`: before or after the order is stored.
 * Those in `gateways` are responses of a proxy in front of the service, which doesn't return keys.
 */
export type Behaviour =
  | 'responds'
  | 'refuses the connection'
  | 'is reached by a fetch that then fails to connect'
  | 'drops before'
  | 'drops after'
  | 'is silent before'
  | 'is silent after'
  | 'is slow'
  | 'cuts the response'
  | 'stalls the response'
  | 'sends half the JSON'
  | 'sends an empty body'
  | '408 before'
  | '500 before'
  | '500 after'
  | '502 before'
  | '502 after'
  | '504 before'
  | '504 after'
  | '503'
  | '429'
  | '404 of a gateway'
  | '422';

const gateways: readonly Behaviour[] = [
  '502 before',
  '502 after',
  '504 before',
  '504 after',
  '404 of a gateway',
];

/** Longer than any attempt. */
const slowness = 45_000;

export interface OrderService {
  fetch: Fetch;
  /** The created orders by key. */
  orders: string[];
  /** Keys and times of the attempts that arrived. */
  attempts: { key: string | null; at: number }[];
  /** The behaviour for the next attempts; after these, it responds normally. */
  plan: Behaviour[];
}

const failed = (code: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

/** A service in this process with a list of its orders. It fails as planned, one attempt after another. */
export function createOrderService(
  plan: readonly Behaviour[],
  { honoursKey }: { honoursKey: boolean },
): OrderService {
  const stored = new Map<string, number>();
  const working = new Set<string>();
  const service: OrderService = { fetch, orders: [], attempts: [], plan: [...plan] };

  const store = (key: string): number => {
    if (honoursKey && stored.has(key)) return stored.get(key) ?? 0;
    service.orders.push(key);
    stored.set(key, service.orders.length);
    return service.orders.length;
  };

  async function fetch(request: Request): Promise<Response> {
    const key = request.headers.get('Idempotency-Key') ?? '';
    service.attempts.push({ key, at: performance.now() });
    const behaviour = service.plan.shift() ?? 'responds';
    const echo: Record<string, string> =
      honoursKey && !gateways.includes(behaviour) ? { 'Idempotency-Key': key } : {};
    const json = (status: number, body: object, headers = {}): Response =>
      Response.json(body, { status, headers: { ...echo, ...headers } });

    if (behaviour === 'refuses the connection') throw failed('ECONNREFUSED');
    if (behaviour === 'drops before') throw failed('ECONNRESET');
    if (behaviour === 'is silent before') return new Promise(() => {});
    if (behaviour === '404 of a gateway') return new Response('no such route', { status: 404 });
    if (behaviour === '503') return json(503, {});
    if (behaviour === '429') return json(429, { message: 'Too Many Attempts.' });
    if (honoursKey && working.has(key))
      return json(409, { success: false }, { 'X-Error-Code': 'IDEMPOTENCY_IN_FLIGHT', 'Retry-After': '1' });
    // A service that honours the key looks up the order before it validates the request.
    if (behaviour === '422' && !(honoursKey && stored.has(key))) return json(422, { success: false });
    if (behaviour.endsWith(' before')) return json(Number.parseInt(behaviour, 10), {});
    if (behaviour === 'is slow') {
      working.add(key);
      await new Promise((resolve) => setTimeout(resolve, slowness));
      working.delete(key);
    }

    const orderId = `INV-${store(key)}-ABCDEFGH`;
    if (behaviour === 'drops after') throw failed('ECONNRESET');
    if (behaviour === 'is reached by a fetch that then fails to connect') throw failed('ECONNREFUSED');
    if (behaviour === 'is silent after') return new Promise(() => {});
    if (behaviour.endsWith(' after')) return json(Number.parseInt(behaviour, 10), {});
    const headers = { ...echo, 'Content-Type': 'application/json' };
    if (behaviour === 'cuts the response') return new Response(cutBody(), { status: 201, headers });
    if (behaviour === 'stalls the response') return new Response(stalledBody(), { status: 201, headers });
    if (behaviour === 'sends half the JSON') return new Response('{"success":tr', { status: 201, headers });
    if (behaviour === 'sends an empty body') return new Response('', { status: 201, headers });
    return json(201, { success: true, message: 'OK', orderId, data: { order_id: orderId } });
  }
  return service;
}
