import { createTopupClient, type TopupClientOptions } from '@topup-kit/sdk';
import { baseUrl } from './responses.ts';

export const orderId = 'INV-20260329093000-ABCDEFGH';

/** Handles one query: returns a response, or throws like a broken connection. */
export type Respond = (request: Request) => Response | Promise<Response>;

export const state = (payment_status: string, buy_status: string) => ({
  order_id: orderId,
  payment_status,
  buy_status,
  expired_time: 1_774_751_400,
});

/** An order in this state. */
export const says =
  (payment: string, buy: string, headers: Record<string, string> = {}): Respond =>
  () =>
    Response.json({ success: true, data: state(payment, buy) }, { headers });

export const fails =
  (status: number, body: object = {}, headers: Record<string, string> = {}): Respond =>
  () =>
    Response.json(body, { status, headers });

export const breaks: Respond = () => Promise.reject(new TypeError('fetch failed'));

export const hangs: Respond = () => new Promise<never>(() => {});

export const unpaid = says('UNPAID', 'Pending');
export const inDelivery = says('PAID', 'Proses');
export const delivered = says('PAID', 'Sukses');

/** A client of a service that follows a script, whose last step repeats. `queries` has the times of the queries in milliseconds. */
export function scripted(script: Respond[], options: Partial<TopupClientOptions> = {}) {
  const queries: number[] = [];
  const begin = performance.now();
  const fetch = async (request: Request): Promise<Response> => {
    queries.push(performance.now() - begin);
    const line = script[Math.min(queries.length, script.length) - 1];
    if (!line) throw new Error('the script is empty');
    return line(request);
  };
  const client = createTopupClient({ baseUrl, fetch, maxRetries: 0, ...options });
  return { client, queries, fetch };
}

/** The pauses between the queries, rounded, because timers only have whole milliseconds. */
export const pauses = (queries: number[]): number[] =>
  queries.slice(1).map((moment, index) => Math.round((moment - (queries[index] ?? 0)) / 10) * 10);

/** Waits for platform events, which fake timers do not stop. */
const nextTurn = (turn = globalThis.setImmediate): (() => Promise<void>) => {
  return () => new Promise((resolve) => void turn(resolve));
};
const realTurn = nextTurn();

/** Checks that there is no unhandled rejection a few turns after the work. */
export async function unheardRejections(work: () => Promise<unknown>): Promise<unknown[]> {
  const unheard: unknown[] = [];
  const listen = (reason: unknown): void => void unheard.push(reason);
  process.on('unhandledRejection', listen);
  try {
    await work();
    for (let turn = 0; turn < 5; turn += 1) await realTurn();
  } finally {
    process.off('unhandledRejection', listen);
  }
  return unheard;
}
