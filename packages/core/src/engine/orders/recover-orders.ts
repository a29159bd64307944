import type { PaymentGateway, RemoteGateway } from '../../gateway/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { ReservedOrder, Store, StoredOrder } from '../../store/index.ts';
import { inTime } from '../in-time.ts';

export interface RecoveryDependencies {
  store: Store;
  gateway: PaymentGateway;
  worldClock: Clock;
  /** The answer that an order's idempotency key replays. */
  renderAnswer: (order: StoredOrder) => string;
  reportError: (error: unknown, about: string) => void;
}

/** How long a gateway may take to answer, in milliseconds of real time. */
const gatewayPatience = 10_000;

/** Asks a gateway, and waits no longer than its time, whether or not it heeds the signal. */
export const askGateway = <Result>(ask: (signal: AbortSignal) => Promise<Result>): Promise<Result> =>
  inTime(ask(AbortSignal.timeout(gatewayPatience)), gatewayPatience, 'the gateway did not answer in time');

/** A reserved order that is younger than this may still be at its gateway, in milliseconds of world time. */
const stillUnderWay = 3 * gatewayPatience;

export type Recovery = 'finalised' | 'abandoned' | 'unknown';

/**
 * Ends what was begun: a reserved order gets the payment that the gateway has for it, or is forgotten when there is
 * none. While the gateway can't tell, the order stays reserved.
 */
export async function recoverOrder(
  { store, renderAnswer, reportError }: RecoveryDependencies,
  gateway: RemoteGateway,
  order: ReservedOrder,
): Promise<{ outcome: Recovery; order?: StoredOrder }> {
  const { orderId } = order;
  try {
    const payment = await askGateway((signal) => gateway.findPayment(orderId, signal));
    if (payment === null) {
      await store.abandonOrder(orderId);
      return { outcome: 'abandoned' };
    }
    const whole: StoredOrder = { ...order, payment };
    const stored = await store.finaliseOrder({ orderId, payment, body: renderAnswer(whole) });
    return 'done' in stored ? { outcome: 'finalised', order: whole } : { outcome: 'unknown' };
  } catch (error) {
    reportError(error, orderId);
    return { outcome: 'unknown' };
  }
}

/** Reserved orders that nobody is creating any more: a crash, or a gateway that went silent, left them so. */
export async function findInterrupted(
  { store, worldClock }: Pick<RecoveryDependencies, 'store' | 'worldClock'>,
  limit: number,
): Promise<ReservedOrder[]> {
  const reserved = await store.findReservedOrders(limit);
  return reserved.filter(({ createdAt }) => createdAt + stillUnderWay <= worldClock());
}
