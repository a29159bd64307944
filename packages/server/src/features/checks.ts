import type { RoomCheck } from '../sql/verify.ts';
import { reportChecks } from './reports/sql.ts';
import { webhookChecks } from './webhooks/inspect.ts';

export const checks: Readonly<Record<string, RoomCheck>> = {
  reports: reportChecks,
  webhooks: webhookChecks,
};
