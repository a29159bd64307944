import type { EngineDependencies } from '@topup-kit/core/engine';
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

/**
 * Logs and counts one line for each payment event. A gateway is asked about an unpaid order again and again, and always reports the
 * wrong payment that is known.
 */
export const createPaymentLog =
  (
    logger: Logger,
    metrics: Pick<Metrics, 'countPayment'>,
  ): NonNullable<EngineDependencies['reportPayment']> =>
  ({ reference, status, amount }, { outcome, reason, order, isRepeated }) => {
    if (!isRepeated) metrics.countPayment(outcome);
    // Whoever knows the reference of an order can see its payment page.
    const whose = order ? { order: order.orderId } : { order: null, reference };
    logger[isRepeated ? 'debug' : (paymentLevels[outcome] ?? 'info')](
      { ...whose, payment: status, amount, outcome, ...reasonOf(reason) },
      'a payment event was applied',
    );
  };

/** Logs and counts one line for each outcome of a delivery, without its serial number, which is worth money. */
export const createDeliveryLog =
  (
    logger: Logger,
    metrics: Pick<Metrics, 'countDelivery'>,
  ): NonNullable<EngineDependencies['reportDelivery']> =>
  ({ orderId, unit, attempt, outcome, reason }) => {
    metrics.countDelivery(outcome);
    // The reason of a contradiction quotes serial numbers.
    const told = outcome === 'contradiction' ? null : reason;
    logger[deliveryLevels[outcome] ?? 'info'](
      { order: orderId, unit, attempt, outcome, ...reasonOf(told) },
      'a delivery has an outcome',
    );
  };

/** The most products that a line names. */
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

/** Logs which products a list of the supplier, or a change of the catalogue, closed or opened again; one line however many they are. */
export const createProductLog =
  (logger: Logger): NonNullable<EngineDependencies['reportProducts']> =>
  ({ supplier, because, closed, reopened }) => {
    if (because === 'supplier')
      return logger.info(
        { supplier, ...namedProducts({ closed, reopened }) },
        'the supplier closed products, or has them again',
      );
    if (closed.length > 0)
      logger.warn(
        { supplier, ...namedProducts({ closed }) },
        'products were closed, because they cost more than they bring',
      );
    if (reopened.length > 0)
      logger.info(
        { supplier, ...namedProducts({ reopened }) },
        'products were opened again, because they no longer cost more than they bring',
      );
  };
