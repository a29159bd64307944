import type { CallEvent, EmitEvent, EngineEvent } from '@topup-kit/core/engine';
import type { Level, Logger } from 'pino';
import type { Metrics } from './metrics.ts';
import { redactText } from './redact.ts';

/**
 * Log levels of payment events. Warnings are for facts that an operator should know and that no other line contains. Money to reconcile has
 * an alert, and the line of a callback already reports an unknown payment.
 */
const paymentLevels: Record<string, Level> = { contradiction: 'warn' };
const deliveryLevels: Record<string, Level> = { failed: 'warn', unknown: 'warn', contradiction: 'warn' };

const reasonOf = (reason: string | null): { reason?: string } =>
  reason === null ? {} : { reason: redactText(reason) };

type EventOf<Type extends EngineEvent['type']> = Extract<EngineEvent, { type: Type }>;

/**
 * Logs one line for each payment event. The gateway of an unpaid order is asked repeatedly, and always reports the wrong payment that is
 * already known.
 */
function logPayment(
  logger: Logger,
  {
    payment: { reference, status, amount },
    result: { outcome, reason, order, isRepeated },
  }: EventOf<'payment'>,
): void {
  // An order's reference gives access to its payment page, so it is not logged.
  const whose = order ? { order: order.orderId } : { order: null, reference };
  logger[isRepeated ? 'debug' : (paymentLevels[outcome] ?? 'info')](
    { ...whose, payment: status, amount, outcome, ...reasonOf(reason) },
    'a payment event was applied',
  );
}

/** Logs one line for each outcome of a delivery, without the serial number, which is worth money. */
function logDelivery(
  logger: Logger,
  { delivery: { orderId, unit, attempt, outcome, reason } }: EventOf<'delivery'>,
): void {
  // A contradiction's reason quotes serial numbers.
  const shown = outcome === 'contradiction' ? null : reason;
  logger[deliveryLevels[outcome] ?? 'info'](
    { order: orderId, unit, attempt, outcome, ...reasonOf(shown) },
    'a delivery has an outcome',
  );
}

const maxNamed = 20;

/** Returns the first products of each change, and the number of all products. */
const namedProducts = (changes: Record<string, readonly string[]>): object =>
  Object.fromEntries(
    Object.entries(changes)
      .filter(([, products]) => products.length > 0)
      .flatMap(([change, products]) => [
        [change, products.slice(0, maxNamed)],
        [`${change}Count`, products.length],
      ]),
  );

/** Logs one line for all products that a supplier's list or a change of the catalogue closed or opened again. */
function logProducts(
  logger: Logger,
  { changes: { supplier, because, closed, reopened } }: EventOf<'products'>,
): void {
  if (because === 'supplier')
    logger.info(
      { supplier, ...namedProducts({ closed, reopened }) },
      'the supplier closed products, or offers them again',
    );
  if (because === 'cost' && closed.length > 0)
    logger.warn(
      { supplier, ...namedProducts({ closed }) },
      'products were closed, because they cost more than their prices',
    );
  if (because === 'cost' && reopened.length > 0)
    logger.info(
      { supplier, ...namedProducts({ reopened }) },
      'products were opened again, because they no longer cost more than their prices',
    );
}

/** Logs and counts the engine's events, and keeps failed requests to providers. */
export function createEventLog({
  logger,
  metrics,
  noteCall,
}: {
  logger: Logger;
  metrics: Pick<Metrics, 'countPayment' | 'countDelivery'>;
  noteCall: (event: CallEvent) => void;
}): EmitEvent {
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
