import { mountCallbacks } from '@topup-kit/core/app';
import {
  type CallbackReport,
  type CountedOutcome,
  createCallbacks,
  handleCallbacks,
} from '@topup-kit/core/engine';
import type { Logger } from 'pino';
import { Counter } from 'prom-client';
import { matcherOf } from '../../config/address-list.ts';
import type { Feature, FeatureHost, RunningFeature } from '../../service/feature.ts';

/** Log levels of the callbacks that an operator should see. All other callbacks are logged as info. */
const levels: Partial<Record<CountedOutcome, 'warn'>> = {
  rejected: 'warn',
  limited: 'warn',
  forbidden: 'warn',
  failed: 'warn',
  unmatched: 'warn',
};

/** Logs one line for each callback, or for all callbacks with the same fault, without their content. */
export function logCallback(
  logger: Logger,
  { callbackId, provider, outcome, reason, orderId, address, count }: CallbackReport,
  error: unknown,
): void {
  logger[levels[outcome] ?? 'info'](
    {
      callbackId,
      provider,
      outcome,
      address,
      ...(count > 1 && { count }),
      ...(reason !== null && { reason }),
      ...(orderId !== null && { order: orderId }),
      ...(error !== undefined && { err: error }),
    },
    count > 1 ? 'callbacks were handled' : 'a callback was handled',
  );
}

/** Maximum number of logged addresses, so that strangers can't fill the memory. */
const maxLoggedAddresses = 1_000;

/** Creates a function that checks whether an address may send callbacks. It logs each rejected address once. */
export function createAddressCheck(entries: readonly string[], logger: Logger): (address: string) => boolean {
  const matches = matcherOf(entries);
  const logged = new Set<string>();
  return (address) => {
    if (matches(address)) return true;
    if (!logged.has(address) && logged.size < maxLoggedAddresses) {
      logged.add(address);
      logger.warn(
        { address },
        'callbacks from this address are rejected, because TOPUP_CALLBACK_ADDRESSES does not include it',
      );
    }
    return false;
  };
}

/** Creates the callback handlers for each world of a server. */
export function receiveCallbacks({
  config: { callbackAddresses },
  logger,
  metrics,
  closing,
}: Pick<FeatureHost, 'config' | 'logger' | 'closing'> & {
  metrics: Pick<FeatureHost['metrics'], 'registry'>;
}): NonNullable<RunningFeature['inWorld']> {
  const counter = new Counter({
    name: 'topup_callbacks_total',
    help: 'Callbacks by provider and outcome.',
    labelNames: ['provider', 'outcome'],
    registers: [metrics.registry],
  });
  const mayCall = callbackAddresses ? createAddressCheck(callbackAddresses, logger) : () => true;
  return (world) => {
    const callbacks = createCallbacks({
      ...world,
      count: (provider, outcome) => counter.inc({ provider, outcome }),
      report: (report, error) => logCallback(logger, report, error),
    });
    return {
      work: handleCallbacks({
        store: world.store,
        callbacks,
        closing,
        reportError: (error) => logger.warn({ err: error }, 'rejected callbacks could not be stored'),
      }),
      mount: (router, { publicUrl, limits }) =>
        mountCallbacks(router, {
          callbacks,
          maxBodyBytes: limits.bodyBytes,
          mayCall,
          reportMisdirected: (path, intended) =>
            logger.warn(
              { path },
              `a callback arrived at a wrong path. Set the provider's callback URL to ${publicUrl}${intended}`,
            ),
          clock: world.monotonicClock,
          closing,
        }),
    };
  };
}

/** Receives the callbacks of gateways and suppliers. */
export const callbacks: Feature = async (host) => ({ inWorld: receiveCallbacks(host) });
