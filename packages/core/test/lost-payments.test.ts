import { describe, expect, it } from 'vitest';
import {
  another,
  change,
  expired,
  idOf,
  moment,
  paid,
  place,
  reconciliation,
  refund,
} from '../../suites/src/store/fixtures.ts';
import { applyPayments, askForPayments } from '../src/features/index.ts';
import { createMemoryStore, type StoredOrder } from '../src/features/store.ts';
import type { ListedPayment, PaymentReport, RemoteGateway } from '../src/gateway/index.ts';
import { callbackGateway } from './helpers/providers.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
const now = moment + hour;
const since = moment - 5 * hour;
const total = 22_000;

const paidReport = (at: number | null = moment + 1): PaymentReport => ({ status: 'paid', amount: total, at });
const listedOf = (letter: string, report: PaymentReport): ListedPayment => ({
  ...{ reference: `ref-${letter}`, orderId: idOf(letter), report },
});

/** A store with unpaid orders of these letters, and a gateway that says of each payment what `reports` says. */
async function shop(
  letters: string,
  reports: Partial<Record<string, PaymentReport | Error>>,
  over: Partial<RemoteGateway> & { orders?: Partial<StoredOrder> } = {},
) {
  const { orders = {}, ...gatewayOver } = over;
  const store = createMemoryStore();
  for (const letter of letters)
    await store.placeOrder(place(another(letter, { gateway: 'paygate', ...orders })));
  const asked: string[] = [];
  const reportOf = (orderId: string): PaymentReport => {
    const found = reports[orderId.at(-1) ?? ''] ?? { status: 'open' };
    if (found instanceof Error) throw found;
    return found;
  };
  const { gateway } = callbackGateway({
    async checkPayment({ orderId }) {
      asked.push(orderId);
      return reportOf(orderId);
    },
    ...gatewayOver,
  });
  const recover = async (options: { lostOrders?: string[] } = {}) => {
    const answers = await askForPayments({ store, gateway }, { since, ...options });
    const plan = await applyPayments({ store, now, dryRun: true }, answers.events);
    return { answers, plan, apply: () => applyPayments({ store, now, dryRun: false }, answers.events) };
  };
  const open = async () =>
    (await store.listReconciliations({ state: 'open' })).map(({ reason, amount, reference }) => [
      reason,
      amount,
      reference,
    ]);
  const statusOf = async (letter: string) => (await store.findOrder(idOf(letter)))?.paymentStatus;
  return { store, gateway, asked, recover, open, statusOf };
}

describe('a gateway that lists its payments', () => {
  it("asks a gateway for its payments since a time, and checks only the store's payments that it did not list", async () => {
    const calls: number[] = [];
    const listPayments = async (from: number) => {
      calls.push(from);
      return [
        listedOf('A', paidReport()),
        listedOf('L', paidReport(moment + 2)),
        listedOf('M', { status: 'open' }),
      ];
    };
    const { recover, asked, open, statusOf } = await shop('AB', { B: paidReport() }, { listPayments });
    const { answers, plan, apply } = await recover();
    // Clocks differ: a little earlier is asked for, too.
    expect(calls).toEqual([since - 10 * 60_000]);
    expect(asked).toEqual([idOf('B')]);
    expect(answers).toMatchObject({ listed: 3, asked: 1, unasked: [], absent: [], elsewhere: 0 });
    const outcomes = [
      { event: { reference: 'ref-A' }, outcome: 'applied', reconciliation: null },
      { event: { reference: 'ref-B' }, outcome: 'applied', reconciliation: null },
      {
        ...{ event: { reference: 'ref-L', orderId: idOf('L') }, outcome: 'reconciliation', order: null },
        reconciliation: { orderId: null, amount: total, reason: 'unknown' },
      },
    ];
    expect(plan).toMatchObject(outcomes);
    expect([await statusOf('A'), await statusOf('B'), await open()]).toEqual(['UNPAID', 'UNPAID', []]);
    expect(await apply()).toMatchObject(outcomes);
    expect([await statusOf('A'), await statusOf('B')]).toEqual(['PAID', 'PAID']);
    expect(await open()).toEqual([['unknown', total, 'ref-L']]);
    // Again, nothing is new.
    const again = await recover();
    expect(again.plan).toEqual([]);
    expect(await again.apply()).toEqual([]);
    expect(await open()).toHaveLength(1);
  });

  it("finds refunds in a gateway's list", async () => {
    const refunded = { status: 'refunded', amount: 5_000, paid: total, at: null } as const;
    const listPayments = async () => [listedOf('A', refunded), listedOf('L', refunded)];
    const { recover, store, open } = await shop('A', {}, { listPayments });
    await store.changeOrder(change({ to: paid }));
    const { apply } = await recover();
    expect(await apply()).toMatchObject([
      { outcome: 'reconciliation', reconciliation: { reason: 'refunded', amount: 5_000 } },
      { outcome: 'reconciliation', reconciliation: { reason: 'unknown', amount: 17_000 } },
    ]);
    expect(await open()).toHaveLength(2);
  });

  it('changes nothing in a preview, which includes money to reconcile and refunds to pay', async () => {
    const back = (letter: string, amount: number) =>
      listedOf(letter, { status: 'refunded', amount, paid: total, at: null });
    const listPayments = async () => [back('A', 5_000), back('L', total)];
    const { recover, store, open } = await shop('A', {}, { listPayments });
    await store.changeOrder(change({ to: { paymentStatus: 'REFUND', buyStatus: 'Gagal' } }));
    await store.addReconciliation(reconciliation({ reference: 'ref-L', orderId: null }));
    const toPay = refund({ orderId: idOf('A'), amount: 5_000 });
    const version = (await store.findOrder(idOf('A')))?.version ?? 0;
    const again = { paymentStatus: 'REFUND', buyStatus: 'Gagal' } as const;
    await store.changeOrder(change({ version, to: again, refunds: [toPay] }));
    const { plan, apply } = await recover();
    expect(plan).toMatchObject([{ outcome: 'applied' }, { outcome: 'applied' }]);
    expect([await store.listRefunds('to-pay'), await open()]).toMatchObject([[toPay], [{}]]);
    await apply();
    expect([await store.listRefunds('to-pay'), await open()]).toEqual([[], []]);
  });

  it("fails without further requests if the gateway doesn't respond", async () => {
    const { recover, asked } = await shop('A', {}, { listPayments: () => Promise.reject(new Error('down')) });
    await expect(recover()).rejects.toThrow('down');
    const { recover: unclear } = await shop('A', {}, { listPayments: async () => [{}] as never });
    await expect(unclear()).rejects.toThrow("The gateway's listPayments returned an invalid result.0");
    expect(asked).toEqual([]);
  });
});

describe('a gateway that must be asked about each order', () => {
  it('checks all payments that were or can still be made since a time', async () => {
    const { recover, store, asked, statusOf } = await shop('ABCD', { A: paidReport(), C: paidReport() });
    await store.placeOrder(
      place(another('E', { gateway: 'paygate', expiresAt: since - day - 1, paymentStatus: 'UNPAID' })),
    );
    await store.placeOrder(place(another('F', { gateway: 'paygate', expiresAt: since - day })));
    for (const letter of 'CEF') await store.changeOrder(change({ orderId: idOf(letter), to: expired }));
    await store.changeOrder(change({ orderId: idOf('D'), to: paid }));
    const { answers, apply } = await recover();
    expect(asked.toSorted()).toEqual(['A', 'B', 'C', 'F'].map(idOf));
    expect(answers).toMatchObject({ listed: null, asked: 4 });
    await apply();
    expect([await statusOf('A'), await statusOf('B'), await statusOf('C')]).toEqual([
      'PAID',
      'UNPAID',
      'PAID',
    ]);
  });

  it('checks each of many payments, but checks named orders only if it has not checked them yet', async () => {
    const { recover, store, asked } = await shop('', {});
    const ids = Array.from({ length: 205 }, (_, index) => `INV-${index}`);
    for (const [index, orderId] of ids.entries())
      await store.placeOrder(
        place(
          another('A', {
            ...{ orderId, gateway: 'paygate', expiresAt: moment + index },
            payment: { ...another('A').payment, reference: `ref-${index}` },
          }),
        ),
      );
    await store.placeOrder(place(another('B', { gateway: 'paygate' })));
    await store.changeOrder(change({ orderId: idOf('B'), to: paid }));
    expect((await recover({ lostOrders: [idOf('B')] })).answers).toMatchObject({ asked: 206, absent: [] });
    expect(asked.toSorted()).toEqual([...ids, idOf('B')].toSorted());
  });

  it("counts payments of another gateway, but doesn't check them", async () => {
    const { recover, asked } = await shop('AB', {}, { orders: { gateway: 'former' } });
    expect((await recover()).answers).toMatchObject({ asked: 0, elsewhere: 2 });
    expect(asked).toEqual([]);
  });

  it('finds payments for named orders that the store lacks', async () => {
    const { recover, open, gateway } = await shop('', { L: paidReport() });
    gateway.findPayment = async ({ orderId, amount }) =>
      orderId === idOf('L')
        ? {
            state: 'found',
            payment: { reference: 'ref-L', unusable: `asks for another amount than ${amount}` },
          }
        : { state: 'absent' };
    const { answers, apply } = await recover({ lostOrders: [idOf('L'), idOf('M')] });
    expect(answers).toMatchObject({ asked: 2, absent: [idOf('M')], unasked: [] });
    expect(await apply()).toMatchObject([
      { event: { orderId: idOf('L') }, reconciliation: { reason: 'unknown' } },
    ]);
    expect(await open()).toEqual([['unknown', total, 'ref-L']]);
  });

  it('lists payments that could not be checked, and stops when the gateway is down', async () => {
    const letters = 'ABCDEFGHIJ';
    const down = Object.fromEntries([...letters].map((letter) => [letter, new Error(`down ${letter}`)]));
    const { recover, asked } = await shop(letters, { ...down, B: paidReport() });
    const { answers } = await recover();
    // A fails, B responds, and the next five fail.
    expect(asked).toEqual([...'ABCDEFG'].map(idOf));
    expect(answers.asked).toBe(1);
    expect(answers.unasked.map(({ orderId }) => orderId)).toEqual([...'ACDEFGHIJ'].map(idOf));
    expect(answers.events).toHaveLength(1);
  });

  it("checks no payments if the gateway can't be asked about a single payment", async () => {
    const { recover, gateway } = await shop('A', {});
    delete gateway.checkPayment;
    expect((await recover()).answers).toMatchObject({ asked: 0, unasked: [{ orderId: idOf('A') }] });
  });

  it('leaves an order that is being created to the server', async () => {
    const { recover, store, open } = await shop(
      '',
      {},
      { listPayments: async () => [listedOf('A', paidReport())] },
    );
    const { payment: _payment, ...reserved } = another('A');
    await store.reserveOrder({ order: reserved, promo: null, response: null });
    const { apply } = await recover();
    expect(await apply()).toMatchObject([{ outcome: 'failed', reconciliation: null }]);
    expect(await open()).toEqual([]);
  });
});
