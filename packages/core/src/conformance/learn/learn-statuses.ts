import { ambiguousStatuses, type BuyStatus, kitDialect, type PaymentStatus } from '../../contract/index.ts';
import type { Probe } from '../probe.ts';
import type { SandboxHands } from '../target.ts';
import type { Lessons } from './lessons.ts';
import { textAt } from './read-json.ts';

type Action = Parameters<SandboxHands['act']>[1];

/** What leads to which states, as this kit calls them (open points: states). */
const ways: [actions: Action[], payment: PaymentStatus, buy: BuyStatus][] = [
  [['pay'], 'PAID', 'Proses'],
  [['pay', 'deliver'], 'PAID', 'Sukses'],
  [['expire'], 'EXPIRED', 'Batal'],
  [['fail'], 'FAILED', 'Batal'],
];

/** Whether names can be told apart; nobody could be told to speak otherwise, so that it is no lesson. */
const distinct = (entry: 'paymentStatuses' | 'buyStatuses', names: Record<string, string>): boolean =>
  ambiguousStatuses(entry, { ...kitDialect[entry], ...names }).length === 0;

/** Learns what the statuses of orders are called, where a sandbox lets orders have them. */
export async function learnStatuses(probe: Probe, { act }: SandboxHands, lessons: Lessons): Promise<void> {
  const paymentStatuses: Partial<Record<PaymentStatus, string>> = {};
  const buyStatuses: Partial<Record<BuyStatus, string>> = {};
  for (const [actions, payment, buy] of ways) {
    const orderId = textAt((await probe.order()).body, 'orderId');
    if (orderId === undefined) break;
    for (const action of actions) await act(orderId, action);
    const { body } = await probe.get(`/invoice/${orderId}/payment-status`);
    const names = { payment: textAt(body, 'data.payment_status'), buy: textAt(body, 'data.buy_status') };
    if (names.payment !== undefined) paymentStatuses[payment] = names.payment;
    if (names.buy !== undefined) buyStatuses[buy] = names.buy;
  }
  // A name of the states that weren't reached is this kit's own.
  if (distinct('paymentStatuses', paymentStatuses)) lessons.learnIn('paymentStatuses', paymentStatuses);
  if (distinct('buyStatuses', buyStatuses)) lessons.learnIn('buyStatuses', buyStatuses);
}
