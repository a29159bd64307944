import { setTimeout as wait } from 'node:timers/promises';
import { sandboxKey } from '@topup-kit/core/contract';
import { fixtureOrder } from './sandbox.ts';

/** A response to an order; null when the connection was lost before it. */
export interface Sent {
  status: number;
  body: string;
}

/** Sends an order to a server. */
export async function send(
  baseUrl: string,
  { key, ...changes }: { key?: string; id?: string; promo_code?: string; quantity?: number } = {},
): Promise<Sent | null> {
  try {
    const response = await fetch(`${baseUrl}/order`, {
      method: 'POST',
      headers: {
        'X-API-KEY': sandboxKey,
        'Content-Type': 'application/json',
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      body: JSON.stringify({ ...fixtureOrder, ...changes }),
    });
    return { status: response.status, body: await response.text() };
  } catch {
    return null;
  }
}

/** Sends an order until a server takes it or rejects it for good, as clients do when a server has too much to do. */
export async function sendPatiently(...order: Parameters<typeof send>): Promise<Sent | null> {
  for (;;) {
    const sent = await send(...order);
    if (sent?.status !== 503) return sent;
    await wait(200);
  }
}

/** How often each status came. */
export function countStatuses(sent: readonly (Sent | null)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of sent) {
    const status = String(one?.status ?? 'lost');
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}
