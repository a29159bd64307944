import type { Io } from '../../io.ts';
import type { Inspected } from '../database/store-file.ts';
import { checkWebhooks } from '../webhooks/endpoints.ts';
import type { Check } from './check.ts';

/** The checks of the rooms in `topup doctor`. */
export const roomChecks: Readonly<Record<string, (store: Inspected, io: Io) => Promise<Check[]>>> = {
  webhooks: checkWebhooks,
};
