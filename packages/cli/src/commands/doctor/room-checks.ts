import type { Io } from '../../io.ts';
import type { Inspected } from '../database/store-file.ts';
import { checkWebhooks } from '../webhooks/endpoints.ts';
import type { Check } from './check.ts';

/** Checks that the rooms add to `topup doctor`. */
export const roomChecks: Readonly<Record<string, (store: Inspected, io: Io) => Promise<Check[]>>> = {
  webhooks: checkWebhooks,
};
