import { setTimeout as wait } from 'node:timers/promises';
import { sandboxKey } from '@topup-kit/core/contract';
import { createTopupClient } from '@topup-kit/sdk';
import { openStore, type StoreAddress } from '../../packages/server/src/index.ts';
import { expectSound, type SharedAddress } from '../sound.ts';
import { type Known, orderIdOf, place } from './shopper.ts';

/** Maximum time for servers to deliver paid orders, in milliseconds. */
const maxDeliveryMs = 60_000;

/** Number of orders that are sent again at the same time. */
const atOnce = 8;

function check(isRight: boolean, { idempotencyKey, orderId }: Known, what: string, seen: unknown): void {
  if (!isRight) throw new Error(`${orderId ?? idempotencyKey}: ${what}: ${JSON.stringify(seen)}`);
}

/** Sends every order again after a fault, and expects the same bytes for an acknowledged order, and one order for any other. */
export async function sendAgain(baseUrl: string, known: readonly Known[]): Promise<void> {
  const client = createTopupClient({ baseUrl, apiKey: sandboxKey });
  const entries = known.values();
  const work = async (): Promise<void> => {
    for (const one of entries) await sendOne(one);
  };
  async function sendOne(one: Known): Promise<void> {
    const again = await place(baseUrl, one.idempotencyKey);
    check(one.created === null || again === one.created, one, 'the replay differs', [one.created, again]);
    one.created = again;
    one.orderId = orderIdOf(again);
    const { order } = await client.invoices.get(one.orderId);
    const { data } = JSON.parse(again);
    const isComplete =
      order.order_id === one.orderId &&
      // The server stores the id without its dashes.
      order.id_games === one.idempotencyKey.replaceAll('-', '') &&
      order.quantity === data.quantity &&
      order.total_price === data.total_price &&
      order.payment_url === data.payment_url;
    check(isComplete, one, 'the invoice is not that of the order', order);
    // In a long run, the first orders expire before the end.
    const unpaid = order.expired_time * 1_000 > Date.now() ? ['UNPAID'] : ['UNPAID', 'EXPIRED'];
    const mayBe = { none: unpaid, sent: [...unpaid, 'PAID'], acknowledged: ['PAID'] }[one.payment];
    check(
      mayBe.includes(order.payment_status),
      one,
      `a payment (${one.payment}) is now`,
      order.payment_status,
    );
  }
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** Checks that the store contains every order once, and that paid items were bought and delivered once. */
export async function checkStore(address: SharedAddress, known: readonly Known[]): Promise<number> {
  await expectSound(address);
  const store = openStore(address);
  try {
    const stored = (await store.countOrders()).reduce((sum, { count }) => sum + count, 0);
    const ids = new Set(known.map(({ orderId }) => orderId));
    if (stored !== known.length || ids.size !== known.length)
      throw new Error(`${known.length} orders were sent, ${ids.size} have an id, ${stored} are stored`);
    let paid = 0;
    for (const one of known) {
      const events = (await store.findHistory(one.orderId ?? '')).map(({ event }) => event);
      const units = (await store.findUnits(one.orderId ?? '')).map(
        ({ state, attempt }) => `${state} ${attempt}`,
      );
      const isPaid = events.length > 0 && events.join() !== 'expired';
      check(isPaid || one.payment !== 'acknowledged', one, 'the payment is lost', events);
      if (!isPaid) continue;
      paid += 1;
      check(events.join() === 'paid,delivered', one, 'it was not paid and delivered once', events);
      check(
        units.join() === 'delivered 1,delivered 1',
        one,
        'its items were not delivered at the first attempt',
        units,
      );
    }
    return paid;
  } finally {
    await store.close();
  }
}

/** Waits until a running server has nothing left to deliver. */
export async function untilDelivered(address: StoreAddress): Promise<void> {
  const store = openStore(address);
  try {
    for (const end = Date.now() + maxDeliveryMs; ; await wait(100)) {
      const open = (await store.countOrders()).filter(
        ({ paymentStatus, buyStatus }) => paymentStatus === 'PAID' && buyStatus !== 'Sukses',
      );
      if (open.length === 0) return;
      if (Date.now() > end)
        throw new Error(`orders that are paid are not delivered: ${JSON.stringify(open)}`);
    }
  } finally {
    await store.close();
  }
}
