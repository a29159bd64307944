import { sandboxKey } from '@topup-kit/core/contract';
import { expect } from 'vitest';
import type { RunningServer } from '../../src/index.ts';
import { fixtureOrder } from './sandbox.ts';

/** Sends the fixture's order, or one that differs from it, with the sandbox's key or another. */
export const postOrder = (
  baseUrl: string,
  over: object = {},
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${baseUrl}/order`, {
    method: 'POST',
    headers: { 'X-API-KEY': sandboxKey, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ ...fixtureOrder, ...over }),
  });

/** Places such an order, and returns the data of the response. */
export async function placeOrder({ baseUrl, sandboxKey }: RunningServer, over: object = {}) {
  const response = await postOrder(baseUrl, over, { 'X-API-KEY': sandboxKey ?? '' });
  return (await response.json()).data;
}

/** Changes an order without its page. */
export const happen = (server: RunningServer, { order_id }: { order_id: string }, action: string) =>
  fetch(`${server.publicUrl}/sandbox/orders/${order_id}/${action}`, { method: 'POST' });

/** What happens in the same millisecond has no order in lists of what is the newest. */
async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await new Promise((resolve) => setTimeout(resolve));
}

/** Places an order without a promo, to which the actions happen, each at a time of its own. */
export async function story(
  server: RunningServer,
  actions: readonly string[] = [],
  over: object = {},
): Promise<string> {
  const order = await placeOrder(server, { promo_code: undefined, ...over });
  await nextMillisecond();
  for (const action of actions) {
    expect((await happen(server, order, action)).status).toBe(200);
    await nextMillisecond();
  }
  return order.order_id;
}
