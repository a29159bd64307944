import { eraseOldOrders } from '@topup-kit/core/engine';
import type { Feature } from '../../service/feature.ts';

/** Erases the personal data in orders that are older than `TOPUP_RETENTION_DAYS`. */
export const customers: Feature = async ({ config: { retentionDays: days }, hashCustomer }) =>
  days && hashCustomer
    ? { inWorld: ({ store }) => ({ work: eraseOldOrders({ store, hashCustomer, days }) }) }
    : null;
