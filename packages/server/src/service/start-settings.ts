import { type AppSettings, defaultLimits, shopRates } from '@topup-kit/core/app';
import { completeDialect, type Dialect } from '@topup-kit/core/contract';
import type { Logger } from 'pino';
import { rejectInvalidAdapters } from '../config/adapters.ts';
import { type ServerConfig, settingDefinitions } from '../config/config.ts';
import { watcher } from '../features/watcher.ts';
import { createLogger } from '../observability/logger.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { createCallLog, observedParts } from '../observability/providers.ts';
import { createRequestMeter, type RequestMeter } from '../observability/request-meter.ts';
import { createRequestObserver, type RequestObserver } from '../observability/requests.ts';
import type { Watch } from '../observability/watch.ts';
import {
  rejectSameName,
  rejectSandboxParts,
  rejectShortKey,
  type ServerOverrides,
  withConfiguredParts,
} from './parts.ts';

export interface ServerSettings {
  config: ServerConfig;
  parts: ServerOverrides;
  dialect: Dialect;
  logger: Logger;
  metrics: Metrics;
  watch: Watch | undefined;
  requests: RequestObserver;
  meter: RequestMeter;
}

export function appSettings({ config, dialect }: ServerSettings, publicUrl: string): AppSettings {
  const { basePath, timezone, locale, currency } = config;
  // A sandbox has no default rate limits, so that test runs don't hit them by accident.
  const perMinute = (limit: number): number => (config.mode === 'sandbox' ? 0 : limit);
  // A live payment page links only to origins that its operator allows, because anyone with a key could name another site.
  const returnOrigins = config.returnOrigins ?? (config.mode === 'sandbox' ? undefined : []);
  return {
    publicUrl,
    basePath,
    timezone,
    locale,
    currency,
    dialect,
    limits: {
      ...defaultLimits,
      quantity: config.maxQuantity,
      bodyBytes: config.maxBodyBytes,
      returnOrigins,
      readsPerMinute: config.readsPerMinute ?? perMinute(shopRates.readsPerMinute),
      ordersPerMinute: config.ordersPerMinute ?? perMinute(shopRates.ordersPerMinute),
      // Earlier versions had only key limits, so an operator who set only key limits meant them for customers as well.
      customerReadsPerMinute:
        config.customerReadsPerMinute ?? config.readsPerMinute ?? perMinute(defaultLimits.readsPerMinute),
      customerOrdersPerMinute:
        config.customerOrdersPerMinute ?? config.ordersPerMinute ?? perMinute(defaultLimits.ordersPerMinute),
    },
  };
}

/** Warns of provider settings in a sandbox, which never calls a real provider. */
function warnOfIgnoredSettings(config: ServerConfig, logger: Logger): void {
  for (const setting of ['gateway', 'supplier'] as const)
    if (config[setting] !== undefined)
      logger.warn(`a sandbox calls no real ${setting}, so ${settingDefinitions[setting].name} is ignored`);
}

/** Warns of previous secrets: a secret that was replaced because it leaked must not be accepted forever. */
function warnOfPreviousSecrets({ acceptedPrevious }: ServerConfig, logger: Logger): void {
  for (const setting of acceptedPrevious)
    logger.warn(
      { setting, runbook: 'docs/secrets.md' },
      `callbacks signed with ${setting} are still accepted: unset it one day after you replace the secret`,
    );
}

/**
 * Checks settings and adapters, and starts the observers of the server.
 *
 * @throws ConfigError
 */
export async function prepareSettings(
  config: ServerConfig,
  ownParts: ServerOverrides,
): Promise<ServerSettings> {
  rejectInvalidAdapters(ownParts);
  let logger: Logger | undefined;
  const configured = withConfiguredParts(config, ownParts, (text) => logger?.warn(text));
  if (config.mode === 'live') rejectSandboxParts(config, configured);
  rejectShortKey(config);
  rejectSameName(configured);
  logger = await createLogger({
    level: config.logLevel ?? (config.mode === 'live' ? 'info' : 'warn'),
    format: config.logFormat,
    secrets: [...config.secrets(), ...(watcher.traces?.secrets() ?? [])],
    stream: ownParts.log,
  });
  const metrics = createMetrics();
  const watch = await watcher.traces?.start({ logger, basePath: config.basePath });
  const logCall = createCallLog(logger, metrics.countProviderCall);
  const parts = observedParts(configured, (call) => {
    logCall(call);
    watch?.noteCall(call);
  });
  const requests = createRequestObserver(logger, metrics.countRequest, watch ? [watch.endRequest] : []);
  if (config.mode === 'sandbox') warnOfIgnoredSettings(config, logger);
  warnOfPreviousSecrets(config, logger);
  return {
    config,
    parts,
    dialect: completeDialect(parts.dialect ?? {}),
    logger,
    metrics,
    watch,
    requests,
    meter: createRequestMeter(requests.total),
  };
}
