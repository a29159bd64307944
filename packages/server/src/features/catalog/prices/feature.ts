import { followPrices } from '@topup-kit/core/engine';
import type { Store } from '@topup-kit/core/store';
import type { Logger } from 'pino';
import type { ServerConfig } from '../../../config/config.ts';
import type { Feature } from '../../../service/feature.ts';

/** Default interval of syncs. A sync without changes needs one short query, and a price rise closes a shop for at most this time. */
const defaultSyncMinutes = 1;

/** Chooses how often prices follow the supplier: as set, or by a default only in stores that were created after its introduction. */
async function chooseSyncMinutes(
  store: Store,
  { syncMinutes, mode }: ServerConfig,
  logger: Logger,
): Promise<number> {
  const minutes = syncMinutes ?? ((await store.readDefaults()) > 0 ? defaultSyncMinutes : 0);
  if (mode === 'sandbox' || (await store.readMargins()).length === 0) return minutes;
  const setting = 'TOPUP_SYNC_MINUTES';
  if (minutes > 0)
    logger.info(
      { setting, minutes },
      `prices with a margin rule follow the supplier's list, which the server checks every ${minutes === 1 ? 'minute' : `${minutes} minutes`}`,
    );
  else if (syncMinutes === undefined)
    logger.warn(
      { setting, runbook: 'docs/catalog.md#prices-that-follow-the-supplier' },
      "prices with a margin rule do not follow the supplier's list, as in the version that created this store. To change that, run topup catalog sync --yes, and set TOPUP_SYNC_MINUTES=1",
    );
  return minutes;
}

export const prices: Feature = async ({ store: first, config, logger }) => {
  const minutes = await chooseSyncMinutes(first, config, logger);
  return minutes > 0 ? { inWorld: ({ store }) => ({ work: followPrices(store, minutes * 60_000) }) } : null;
};
