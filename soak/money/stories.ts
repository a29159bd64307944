import { deepEqual, equal, ok } from 'node:assert/strict';
import { findAlerts } from '@topup-kit/core/engine';
import type { FaultName } from '@topup-kit/simulators';
import { otherThan, type Shop, type Shown } from './shop.ts';
import type { Pair } from './simulated.ts';

/** Failure at a provider; it happens once, or `times` times. */
interface Trouble {
  at: 'gateway' | 'supplier';
  fault: FaultName;
  /** Request that fails; any request by default. */
  on?: 'create' | 'look-up' | 'pay';
  times?: number;
}

/** Course of one order, from the client's request to the final result of the supplier. */
export interface Story {
  name: string;
  troubles?: Trouble[];
  /** Results of the two items of the order at the suppliers, by their own plans; both are delivered by default. */
  outcomes?: ('done' | 'failed' | 'pending' | 'pending-failed')[];
  /** Set if the shop also buys at the other supplier, after the supplier of the pair; contains how that supplier handles purchases. */
  isAtBoth?: boolean;
  otherOutcomes?: ('done' | 'failed')[];
  /** True if the balance at the supplier of the pair is used up. */
  isBroke?: boolean;
  /** Actions of the customer, who pays in time by default. */
  pays?: 'once' | 'twice' | 'late' | 'never' | 'everything';
  /** Events a long time afterwards. */
  afterwards?: (shop: Shop, shown: Shown) => Promise<void>;
  /** Gateways at which this can happen; all by default. */
  gateways?: Pair['gateway'][];
}

const trouble = (at: Trouble['at'], fault: FaultName, on?: Trouble['on'], times = 1): Trouble => ({
  at,
  fault,
  times,
  ...(on && { on }),
});

/** Lets the gateway refund the customer, although the items were delivered. */
const refundAtGateway = async ({ pair, providers }: Shop, { orderId, reference }: Shown): Promise<void> => {
  await providers.control(`${pair.gateway}/refund`, {
    reference: pair.gateway === 'tripay' ? reference : orderId,
  });
};

/** Lets the gateway refund one rupiah, which is a part of the amount that an operator then refunds. */
const refundPartAtGateway = async ({ pair, providers }: Shop, { orderId }: Shown): Promise<void> => {
  await providers.control(`${pair.gateway}/refund`, { reference: orderId, amount: 1 });
};

/** Reports the result of a purchase to each simulated supplier. */
const resolutions: Record<Pair['supplier'], (reference: string, to: 'delivered' | 'failed') => object> = {
  digiflazz: (ref_id, to) => ({ ref_id, rc: to === 'failed' ? '74' : '00' }),
  'vip-reseller': (trxid, to) => ({ trxid, status: to === 'failed' ? 'error' : 'success' }),
  tokovoucher: (ref_id, to) => ({ ref_id, status: to === 'failed' ? 'gagal' : 'sukses' }),
};

/** Lets the supplier reverse a delivery, or deliver a failed item. */
const contradict =
  (to: 'delivered' | 'failed') =>
  async ({ pair, providers }: Shop): Promise<void> => {
    for (const reference of await providers.purchases(pair.supplier))
      await providers.control(`${pair.supplier}/resolve`, resolutions[pair.supplier](reference, to));
  };

/** Switches the shop to the other supplier while the outcome of an item at the first supplier is still open. */
const changeSupplier = async (shop: Shop): Promise<void> => {
  const other = otherThan(shop.pair.supplier);
  shop.changeSupplier(other);
  for (const seconds of [60, 600, 3_600]) await shop.advance(seconds);
  deepEqual(await shop.providers.bought(other), [], 'what was bought at the other supplier');
};

/** Expects the number of items that the other supplier sold; a story that a kill has changed may have fewer. */
const expectAtOther =
  (most: number) =>
  async ({ pair, providers, kills }: Shop): Promise<void> => {
    const { length } = await providers.bought(otherThan(pair.supplier));
    ok(length === most || (kills() > 0 && length < most), `${length} items are bought at the other supplier`);
  };

/** Lets the first supplier deliver a rejected item after the other one did, which raises an alert, and then reverse the delivery. */
const doubleAndTakeBack = async (shop: Shop, shown: Shown): Promise<void> => {
  const { store, clock, advance, providers, pair } = shop;
  const isDoubled = (await providers.bought(otherThan(pair.supplier))).length > 0;
  await contradict('delivered')(shop);
  for (const seconds of [60, 600]) await advance(seconds);
  const alerts = await findAlerts(store, { now: clock(), realNow: clock() });
  const contradicted = alerts.find(({ kind }) => kind === 'contradictions')?.names ?? [];
  equal(contradicted.includes(shown.orderId) || !isDoubled, true, 'an alert of what was bought twice');
  await contradict('failed')(shop);
};

/** Deposits money at the supplier of the pair, where nothing is bought that was already bought elsewhere. */
const deposit = async (shop: Shop): Promise<void> => {
  await shop.providers.control(`${shop.pair.supplier}/balance`, { balance: 1_000_000 });
  for (const seconds of [60, 600, 3_600]) await shop.advance(seconds);
  await expectAtOther(2)(shop);
};

/** Stories of a shop that buys at both suppliers. */
const ofBoth: Story[] = [
  { name: 'nothing goes wrong at two suppliers', afterwards: expectAtOther(0) },
  { name: 'the first of two rejects an item', outcomes: ['failed', 'done'], afterwards: expectAtOther(1) },
  {
    name: 'the first of two rejects both items',
    outcomes: ['failed', 'failed'],
    afterwards: expectAtOther(2),
  },
  {
    name: 'the first of two rejects both items after a while, and every callback is late',
    outcomes: ['pending-failed', 'pending-failed'],
    troubles: [trouble('supplier', 'late-callback', undefined, 20)],
    afterwards: expectAtOther(2),
  },
  {
    name: 'each of two rejects both items',
    outcomes: ['failed', 'failed'],
    otherOutcomes: ['failed', 'failed'],
    afterwards: expectAtOther(0),
  },
  { name: 'an item stays pending at the first of two', outcomes: ['pending'], afterwards: expectAtOther(0) },
  ...(['lost-response', 'error-500'] as const).map(
    (fault): Story => ({
      name: `buying each item at the first of two: ${fault}`,
      troubles: [trouble('supplier', fault, 'create', 2)],
      afterwards: expectAtOther(0),
    }),
  ),
  { name: 'the balance at the first of two is used up', isBroke: true, afterwards: deposit },
  {
    name: 'the first of two delivers what it had rejected',
    outcomes: ['failed', 'failed'],
    afterwards: doubleAndTakeBack,
  },
];

const callbackFaults = [
  ...(['lost-callback', 'late-callback', 'duplicate-callback', 'out-of-order', 'bad-signature'] as const),
];

/**
 * Gateways that repeat a callback. Duitku is not known to do so, and can't show a payment whose response was lost. If a customer pays it
 * despite this, and the shop is killed during the only callback, only the gateway's statement shows the payment.
 */
const sendAgain: Pair['gateway'][] = ['tripay', 'midtrans'];

export const stories: Story[] = [
  { name: 'nothing goes wrong' },
  { name: 'the customer never pays', pays: 'never' },
  { name: 'the customer pays too late', pays: 'late' },
  // Duitku can report neither a second payment nor a refunded payment.
  { name: 'the customer pays twice', pays: 'twice', gateways: ['tripay', 'midtrans'] },
  { name: 'the customer pays another amount', troubles: [trouble('gateway', 'wrong-amount', 'pay')] },
  {
    name: 'the customer would bear fees',
    troubles: [trouble('gateway', 'customer-fees', 'create')],
    pays: 'everything',
    gateways: ['tripay'],
  },
  {
    name: 'the gateway pays back afterwards',
    afterwards: refundAtGateway,
    gateways: ['tripay', 'midtrans'],
  },
  {
    name: 'one item fails, and the gateway pays a part back',
    outcomes: ['done', 'failed'],
    afterwards: refundPartAtGateway,
    gateways: ['midtrans'],
  },
  ...(['lost-response', 'error-500'] as const).flatMap((fault): Story[] => [
    { name: `creating a payment: ${fault}`, troubles: [trouble('gateway', fault, 'create')] },
    {
      name: `creating a payment: ${fault}, and whatever was created is paid`,
      troubles: [trouble('gateway', fault, 'create', 2)],
      pays: 'everything',
      ...(fault === 'lost-response' && { gateways: sendAgain }),
    },
    {
      name: `creating a payment and finding it: ${fault}`,
      troubles: [trouble('gateway', fault, 'create'), trouble('gateway', fault, 'look-up', 2)],
      pays: 'everything',
      ...(fault === 'lost-response' && { gateways: sendAgain }),
    },
    {
      name: `no callback, and asking for the payment: ${fault}`,
      troubles: [trouble('gateway', 'lost-callback', undefined, 10), trouble('gateway', fault, 'look-up', 3)],
    },
    { name: `buying: ${fault}`, troubles: [trouble('supplier', fault, 'create')] },
    { name: `buying each item: ${fault}`, troubles: [trouble('supplier', fault, 'create', 2)] },
    {
      name: `no webhook, and asking for the purchase: ${fault}`,
      troubles: [
        trouble('supplier', 'lost-callback', undefined, 10),
        trouble('supplier', fault, 'look-up', 3),
      ],
    },
  ]),
  ...(['gateway', 'supplier'] as const).flatMap((at) =>
    callbackFaults.flatMap((fault): Story[] => [
      { name: `a callback of the ${at}: ${fault}`, troubles: [trouble(at, fault)] },
      { name: `every callback of the ${at}: ${fault}`, troubles: [trouble(at, fault, undefined, 20)] },
    ]),
  ),
  { name: 'an item fails', outcomes: ['failed'] },
  { name: 'both items fail', outcomes: ['failed', 'failed'] },
  { name: 'an item fails after a while', outcomes: ['pending-failed'] },
  { name: 'an item stays pending', outcomes: ['pending'] },
  { name: 'the supplier is changed', outcomes: ['pending', 'pending'], afterwards: changeSupplier },
  {
    name: 'the price rises while the order is delivered',
    troubles: [trouble('supplier', 'wrong-amount', 'create', 2)],
  },
  { name: 'the supplier takes its deliveries back', afterwards: contradict('failed') },
  {
    name: 'the supplier delivers what it had failed',
    outcomes: ['failed', 'failed'],
    afterwards: contradict('delivered'),
  },
  ...ofBoth.map((story) => ({ ...story, isAtBoth: true })),
];
