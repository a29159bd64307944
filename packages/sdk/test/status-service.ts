import { createTopupClient, type TopupClientOptions } from '@topup-kit/sdk';
import { baseUrl } from './responses.ts';

export const orderId = 'INV-20260329093000-ABCDEFGH';

/** What the service does with one question: answers, or throws as a broken connection does. */
export type Answering = (request: Request) => Response | Promise<Response>;

export const state = (payment_status: string, buy_status: string) => ({
  order_id: orderId,
  payment_status,
  buy_status,
  expired_time: 1_774_751_400,
});

/** An order in this state. */
export const says =
  (payment: string, buy: string, headers: Record<string, string> = {}): Answering =>
  () =>
    Response.json({ success: true, data: state(payment, buy) }, { headers });

export const fails =
  (status: number, body: object = {}, headers: Record<string, string> = {}): Answering =>
  () =>
    Response.json(body, { status, headers });

export const breaks: Answering = () => Promise.reject(new TypeError('fetch failed'));

export const hangs: Answering = () => new Promise<never>(() => {});

export const unpaid = says('UNPAID', 'Pending');
export const inDelivery = says('PAID', 'Proses');
export const delivered = says('PAID', 'Sukses');

/** A client of a service that answers by a script, whose last line stays; `asked` is when, in milliseconds. */
export function scripted(script: Answering[], options: Partial<TopupClientOptions> = {}) {
  const asked: number[] = [];
  const begin = performance.now();
  const fetch = async (request: Request): Promise<Response> => {
    asked.push(performance.now() - begin);
    const line = script[Math.min(asked.length, script.length) - 1];
    if (!line) throw new Error('the script is empty');
    return line(request);
  };
  const client = createTopupClient({ baseUrl, fetch, maxRetries: 0, ...options });
  return { client, asked, fetch };
}

/** The pauses between the questions, rounded: timers know whole milliseconds alone. */
export const pauses = (asked: number[]): number[] =>
  asked.slice(1).map((moment, index) => Math.round((moment - (asked[index] ?? 0)) / 10) * 10);

/** The events of the platform, which no fake timer holds up. */
const nextTurn = (turn = globalThis.setImmediate): (() => Promise<void>) => {
  return () => new Promise((resolve) => void turn(resolve));
};
const realTurn = nextTurn();

/** Whether nothing rejected unheard, a few turns after the work. */
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
