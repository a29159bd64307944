import { setTimeout as wait } from 'node:timers/promises';
import { webhookHeaders } from '@topup-kit/core/contract';
import type { OrderEvent } from '@topup-kit/sdk';
import { systemCode } from '../../errors/cli-error.ts';
import { version } from '../../version.ts';

export interface Target {
  url: string;
  secret: string;
}

/** Result of one attempt: a status, or the reason why there is no response. */
export type Forwarded = { status: number; said?: string } | { problem: string; isAway: boolean };

/** Timeout of an attempt, in milliseconds. */
const timeoutMs = 15_000;

/** Maximum number of characters of a response that are shown. */
const mostSaid = 120;

/** Codes of errors before a connection, after which the receiver can't have seen the event. */
const away: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

function failureOf(error: unknown): Forwarded {
  if (error instanceof Error && error.name === 'TimeoutError')
    return { problem: `no response in ${timeoutMs / 1000} s`, isAway: false };
  const code = systemCode(error);
  return {
    problem: `no response (${code ?? 'the connection failed'})`,
    isAway: code !== undefined && away.has(code),
  };
}

/** Sends an event once, signed like a webhook of the service. */
export async function forward(
  { id, type, timestamp, data }: Pick<OrderEvent, 'id' | 'timestamp'> & { type: string; data: object },
  { url, secret }: Target,
  signal: AbortSignal,
): Promise<Forwarded> {
  const body = JSON.stringify({ type, timestamp, data });
  const signed = await webhookHeaders({
    id,
    timestamp: Math.floor(Date.now() / 1000),
    body,
    secrets: [secret],
  });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...signed, 'Content-Type': 'application/json', 'User-Agent': `topup-listen/${version}` },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (response.ok) {
      await response.body?.cancel();
      return { status: response.status };
    }
    const location = response.headers.get('Location');
    const text =
      location === null ? await response.text() : `it redirects to ${location}, which is not followed`;
    const [said = ''] = text.trim().split('\n', 1);
    return { status: response.status, ...(said !== '' && { said: said.slice(0, mostSaid) }) };
  } catch (error) {
    return failureOf(error);
  }
}

/** Delays before retries to an unavailable receiver, in milliseconds; the last delay repeats. */
const pauses = [500, 1_000, 2_000, 5_000];

interface Hooks {
  /** Called once for each event whose receiver is unavailable. */
  onAway(event: OrderEvent, problem: string): Promise<void>;
  /** Called when an event was forwarded or finally failed, but not after an abort by the signal. */
  onForwarded(event: OrderEvent, forwarded: Forwarded): Promise<void>;
}

/** Forwards an event, and repeats this until the receiver responds. */
async function forwardAtLast(
  event: OrderEvent,
  target: Target,
  signal: AbortSignal,
  { onAway, onForwarded }: Hooks,
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const forwarded = await forward(event, target, signal);
    if (signal.aborted) return;
    if (!('isAway' in forwarded && forwarded.isAway)) return onForwarded(event, forwarded);
    if (attempt === 0) await onAway(event, forwarded.problem);
    const pause = pauses[Math.min(attempt, pauses.length - 1)];
    await wait(pause, undefined, { signal }).catch(() => {});
  }
}

/** Maximum number of orders with waiting events. The command then stops reading, and the service keeps the events. */
const mostWaiting = 50;

/** Forwards events: those of one order in sequence, and those of different orders in parallel. */
export interface Forwarding {
  /** Adds an event. Resolves when there is room for another one. Rejects if a hook failed. */
  add(event: OrderEvent): Promise<void>;
  end(): Promise<void>;
}

export function createForwarding(target: Target, signal: AbortSignal, hooks: Hooks): Forwarding {
  const lastOf = new Map<string, Promise<void>>();
  return {
    async add(event) {
      const { order_id: orderId } = event.data.order;
      const before = lastOf.get(orderId);
      if (!before) while (lastOf.size >= mostWaiting) await Promise.race(lastOf.values());
      const done = (before ?? Promise.resolve())
        .then(() => forwardAtLast(event, target, signal, hooks))
        .finally(() => {
          if (lastOf.get(orderId) === done) lastOf.delete(orderId);
        });
      lastOf.set(orderId, done);
      done.catch(() => {});
    },
    async end() {
      await Promise.all(lastOf.values());
    },
  };
}
