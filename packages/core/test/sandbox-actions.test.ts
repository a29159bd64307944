import { describe, expect, it } from 'vitest';
import { another, change, moment, place, unit } from '../../suites/src/store/fixtures.ts';
import { performAction, type SandboxAction } from '../src/features/sandbox/actions.ts';
import { createMemoryStore, type StoredUnit } from '../src/features/store.ts';

const { orderId } = another('A');
const at = moment + 60_000;

/** What an action does to the units of an order in delivery. */
async function act(action: SandboxAction, fields: Partial<StoredUnit>[]) {
  const store = createMemoryStore();
  await store.placeOrder(place(another('A')));
  const units = fields.map((over, index) => unit(index + 1, over));
  await store.changeOrder(change({ units }));
  const order = await store.findOrder(orderId);
  if (!order) throw new Error('no order');
  const isDone = await performAction({ store, at }, order, action);
  const after = await store.findOrder(orderId);
  return { isDone, order: after, units: await store.findUnits(orderId) };
}

const waiting = { nextAt: moment } as const;
const asked = { state: 'asked', askedAt: moment, nextAt: at } as const;
const unknown = { state: 'unknown', askedAt: moment, nextAt: null } as const;
const delivered = { state: 'delivered', askedAt: moment, nextAt: null, serialNumber: 'SN-7' } as const;
const failed = { state: 'failed', askedAt: moment, nextAt: null, reason: 'no stock' } as const;
const all = [waiting, asked, unknown, delivered, failed];

describe('a sandbox action on an order in delivery', () => {
  it('delivers the undelivered units', async () => {
    const { isDone, order, units } = await act('deliver', all);
    const now = (number: number) => ({
      state: 'delivered',
      nextAt: null,
      serialNumber: `SN-${orderId}-${number}-1`,
      reason: null,
    });
    expect(isDone).toBe(true);
    expect(units).toMatchObject([now(1), now(2), now(3), delivered, now(5)]);
    expect(order?.buyStatus).toBe('Sukses');
  });

  it('fails the undelivered units', async () => {
    const { isDone, order, units } = await act('fail-delivery', all);
    const now = { state: 'failed', nextAt: null, reason: 'The sandbox was asked to fail this delivery.' };
    expect(isDone).toBe(true);
    expect(units).toMatchObject([now, now, now, delivered, now]);
    expect(order?.buyStatus).toBe('Gagal');
  });

  it('loses the outcomes of units whose outcome is still open', async () => {
    const { isDone, order, units } = await act('lose-delivery', all);
    const now = { ...unknown, reason: 'The sandbox was asked to lose the outcome of this delivery.' };
    expect(isDone).toBe(true);
    expect(units).toMatchObject([{ ...now, askedAt: at }, now, unknown, delivered, failed]);
    expect(order?.buyStatus).toBe('Proses');
  });

  it('contradicts each outcome, and changes no outcome', async () => {
    const { isDone, units } = await act('contradict-delivery', all);
    const attempt = 'The supplier reported attempt 1 as';
    expect(isDone).toBe(true);
    expect(units.map(({ state, contradiction }) => [state, contradiction])).toEqual([
      ['waiting', null],
      ['asked', null],
      ['unknown', null],
      [
        'delivered',
        `${attempt} failed (the sandbox was asked to contradict it) after it had been delivered.`,
      ],
      ['failed', `${attempt} delivered, with serial number SN-${orderId}-5-1, after it had failed.`],
    ]);
  });

  it.each<[SandboxAction, Partial<StoredUnit>[]]>([
    ['lose-delivery', [delivered, unknown]],
    ['contradict-delivery', [waiting, asked, unknown]],
  ])('rejects %s without a suitable unit', async (action, fields) => {
    const { isDone, order } = await act(action, fields);
    expect(isDone).toBe(false);
    expect(order?.version).toBe(2);
  });

  it("pays for a reference without an order, and doesn't repeat the payment after an operator returned it", async () => {
    const store = createMemoryStore();
    await store.placeOrder(place(another('A')));
    const order = another('A');
    expect(await performAction({ store, at }, order, 'pay-unknown')).toBe(true);
    const [money] = await store.listReconciliations({ state: 'open' });
    expect(money).toMatchObject({
      reference: `${order.payment.reference}-UNKNOWN`,
      orderId: null,
      paidAt: at,
    });
    await store.returnReconciliation(money?.reconciliationId ?? '', 'by transfer');
    expect(await performAction({ store, at }, order, 'pay-unknown')).toBe(false);
  });
});
