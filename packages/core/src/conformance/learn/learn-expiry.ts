import { isExpiryMinutes, type PaymentGroup, paymentGroups } from '../../contract/index.ts';
import type { Probe } from '../probe.ts';
import type { Lessons } from './lessons.ts';
import { numberAt, objectsAt, textAt } from './read-json.ts';

const minute = 60_000;

/** One active method of each group, as the checkout shows them. */
async function methodsByGroup({ get, sample }: Probe): Promise<[PaymentGroup, number][]> {
  const { body } = await get(`/order/${encodeURIComponent(sample.order.game)}`);
  const methods = objectsAt(body, 'paymentMethods').filter(({ status }) => status === true);
  return paymentGroups.flatMap((group): [PaymentGroup, number][] => {
    const id = numberAt(
      methods.find((method) => method.group === group),
      'id',
    );
    return id === undefined ? [] : [[group, id]];
  });
}

/** The minutes that a new order waits; by its invoice's own clock, else by ours. */
async function minutesOf(probe: Probe, payment_method_id: number): Promise<number | undefined> {
  const { status, body } = await probe.order({ payment_method_id });
  const expiry = Date.parse(textAt(body, 'data.expired_at') ?? '');
  if (status !== 201 || Number.isNaN(expiry)) return undefined;
  const invoice = await probe.get(`/invoice/${textAt(body, 'orderId')}`);
  const created = Date.parse(textAt(invoice.body, 'order.created_at') ?? '');
  const minutes = Math.round((expiry - (Number.isNaN(created) ? Date.now() : created)) / minute);
  return isExpiryMinutes(minutes) ? minutes : undefined;
}

/** Learns how long orders wait for their payment, by an order for each group of payment methods. */
export async function learnExpiry(probe: Probe, lessons: Lessons): Promise<void> {
  for (const [group, methodId] of await methodsByGroup(probe))
    lessons.learnIn('expiryMinutes', { [group]: await minutesOf(probe, methodId) });
}
