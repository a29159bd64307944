import type { CloseRefund } from '@topup-kit/core/store';
import { assertEqual } from '../assertions.ts';
import { another, change, moment, ok, place, refund } from './fixtures.ts';
import type { StoreCase } from './store-case.ts';

const ofA = refund().orderId;

const closing = (over: Partial<CloseRefund> = {}): CloseRefund => ({
  refundId: refund().refundId,
  state: 'paid',
  reference: 'BCA 7781',
  closedAt: moment + 200_000,
  closedBy: 'budi',
  ...over,
});

export const refundCases: StoreCase[] = [
  {
    name: 'the refunds of a change are stored with all their fields, and belong to their order',
    async run(store) {
      for (const letter of 'AB') await store.placeOrder(place(another(letter)));
      assertEqual(await store.listRefunds(), [], 'none');
      const byGateway = refund({
        refundId: `${ofA}-R2`,
        units: [],
        operator: null,
        note: null,
        state: 'paid',
        reference: 'ref-A',
        closedAt: moment + 90_000,
      });
      assertEqual(await store.changeOrder(change({ refunds: [refund(), byGateway] })), ok, 'change');
      assertEqual(await store.findRefunds(ofA), [refund(), byGateway], 'of the order');
      assertEqual(await store.findRefunds(another('B').orderId), [], 'of another order');
      assertEqual(await store.listRefunds(), [refund(), byGateway], 'all');
    },
  },
  {
    name: 'refunds are listed oldest first, of one state or all',
    async run(store) {
      await store.placeOrder(place(another('A')));
      const added = [3, 1, 2, 4].map((after) =>
        refund({ refundId: `${ofA}-R${after}`, at: moment + after, amount: after }),
      );
      for (const [index, one] of added.entries())
        await store.changeOrder(change({ version: index + 1, refunds: [one] }));
      await store.closeRefund(closing());
      await store.closeRefund(closing({ refundId: `${ofA}-R2`, state: 'cancelled', reference: 'delivered' }));
      const amounts = async (...state: Parameters<typeof store.listRefunds>) =>
        (await store.listRefunds(...state)).map(({ amount }) => amount);
      assertEqual(await amounts(), [1, 2, 3, 4], 'all');
      assertEqual(await amounts('to-pay'), [3, 4], 'to pay');
      assertEqual(await amounts('paid'), [1], 'paid');
      assertEqual(await amounts('cancelled'), [2], 'cancelled');
      assertEqual(
        (await store.findRefunds(ofA)).map(({ amount }) => amount),
        [1, 2, 3, 4],
        'of the order',
      );
    },
  },
  {
    name: 'a refund is closed once, with who did it, when and how',
    async run(store) {
      await store.placeOrder(place(another('A')));
      await store.changeOrder(change({ refunds: [refund()] }));
      const unknown = await store.closeRefund(closing({ refundId: `${ofA}-R9` }));
      assertEqual(unknown, { conflict: 'refund_missing' }, 'unknown');
      assertEqual(await store.closeRefund(closing()), ok, 'first');
      const again = await store.closeRefund(closing({ state: 'cancelled', closedBy: 'ani' }));
      assertEqual(again, { conflict: 'refund_closed' }, 'again');
      const paid = {
        state: 'paid',
        reference: 'BCA 7781',
        closedAt: moment + 200_000,
        closedBy: 'budi',
      } as const;
      assertEqual(await store.findRefunds(ofA), [refund(paid)], 'paid');
    },
  },
  {
    name: 'of many who close a refund at once, one does',
    async run(store) {
      await store.placeOrder(place(another('A')));
      await store.changeOrder(change({ refunds: [refund()] }));
      const who = ['ani', 'budi', 'cici', 'dedi'];
      const outcomes = await Promise.all(who.map((closedBy) => store.closeRefund(closing({ closedBy }))));
      const first = outcomes.findIndex((outcome) => 'done' in outcome);
      assertEqual(outcomes.filter((outcome) => 'done' in outcome).length, 1, 'done');
      assertEqual((await store.findRefunds(ofA))[0]?.closedBy, who[first], 'by');
    },
  },
];
