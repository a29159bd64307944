import type { CallEvent, Emit, EngineEvent } from '@topup-kit/core/engine';
import type { Level, Logger } from 'pino';
import type { Metrics } from './metrics.ts';
import { redactText } from './redact.ts';

/**
 * What an operator should know of, and no other line says, is logged as a warning. Money that is kept for an operator has an alert, and a
 * payment that nothing is known of came by a callback, whose line says so.
 */
const paymentLevels: Record<string, Level> = { contradiction: 'warn' };
const deliveryLevels: Record<string, Level> = { failed: 'warn', unknown: 'warn', contradiction: 'warn' };

const reasonOf = (reason: string | null): { reason?: string } =>
  reason === null ? {} : { reason: redactText(reason) };

type EventOf<Type extends EngineEvent['type']> = Extract<EngineEvent, { type: Type }>;

/**
 * One line for each payment event. A gateway is asked about an unpaid order again and again, and always reports the wrong payment
 * that is known.
 */
function logPayment(
  logger: Logger,
  {
    payment: { reference, status, amount },
    result: { outcome, reason, order, isRepeated },
  }: EventOf<'payment'>,
): void {
  // Whoever knows the reference of an order can see its payment page.
  const whose = order ? { order: order.orderId } : { order: null, reference };
  logger[isRepeated ? 'debug' : (paymentLevels[outcome] ?? 'info')](
    { ...whose, payment: status, amount, outcome, ...reasonOf(reason) },
    'a payment event was applied',
  );
}

/** One line for each outcome of a delivery, without its serial number, which is worth money. */
function logDelivery(
  logger: Logger,
  { delivery: { orderId, unit, attempt, outcome, reason } }: EventOf<'delivery'>,
): void {
  // The reason of a contradiction quotes serial numbers.
  const shown = outcome === 'contradiction' ? null : reason;
  logger[deliveryLevels[outcome] ?? 'info'](
    { order: orderId, unit, attempt, outcome, ...reasonOf(shown) },
    'a delivery has an outcome',
  );
}

const maxNamed = 20;

/** The first of the products that changed in each way, and how many they are. */
const namedProducts = (changes: Record<string, readonly string[]>): object =>
  Object.fromEntries(
    Object.entries(changes)
      .filter(([, products]) => products.length > 0)
      .flatMap(([change, products]) => [
        [change, products.slice(0, maxNamed)],
        [`${change}Count`, products.length],
      ]),
  );

/** One line for the products that a list of the supplier, or a change of the catalogue, closed or opened again, however many they are. */
function logProducts(
  logger: Logger,
  { changes: { supplier, because, closed, reopened } }: EventOf<'products'>,
): void {
  if (because === 'supplier')
    logger.info(
      { supplier, ...namedProducts({ closed, reopened }) },
      'the supplier closed products, or has them again',
    );
  if (because === 'cost' && closed.length > 0)
    logger.warn(
      { supplier, ...namedProducts({ closed }) },
      'products were closed, because they cost more than they bring',
    );
  if (because === 'cost' && reopened.length > 0)
    logger.info(
      { supplier, ...namedProducts({ reopened }) },
      'products were opened again, because they no longer cost more than they bring',
    );
}

/** Logs and counts what the engine tells, and keeps the requests that a provider did not handle. */
export function createEventLog({
  logger,
  metrics,
  noteCall,
}: {
  logger: Logger;
  metrics: Pick<Metrics, 'countPayment' | 'countDelivery'>;
  noteCall: (event: CallEvent) => void;
}): Emit {
  return (event) => {
    switch (event.type) {
      case 'error':
        return logger.warn(
          { err: event.error, about: event.about },
          'a background task failed and will be retried',
        );
      case 'warning':
        return logger.warn(event.warning);
      case 'payment':
        if (!event.result.isRepeated) metrics.countPayment(event.result.outcome);
        return logPayment(logger, event);
      case 'delivery':
        metrics.countDelivery(event.delivery.outcome);
        return logDelivery(logger, event);
      case 'products':
        return logProducts(logger, event);
      case 'prices':
        return logger.info(
          { supplier: event.supplier, changed: event.changed },
          'prices followed the supplier; topup catalog history shows them',
        );
      case 'erased':
        return logger.info({ orders: event.orders }, 'personal data of old orders was erased');
      case 'call':
        return noteCall(event);
    }
  };
}
