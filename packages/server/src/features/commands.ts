import type { EraseOrder } from '@topup-kit/core/store';
import * as house from '../sql/commands.ts';
import { eraseOrder } from '../sql/erasures.ts';
import * as console from './console/sql.ts';
import * as reports from './reports/sql.ts';
import * as webhooks from './webhooks/sql.ts';

/** Each room erases what it has of an order. */
const erase = {
  webhooks: webhooks.eraseOrder,
};

/** Commands that change nothing. */
export const reads = {
  ...house.reads,
  ...console.reads,
  ...reports.reads,
  ...webhooks.reads,
};

export const writes = {
  ...house.writes,
  ...console.writes,
  ...reports.writes,
  ...webhooks.writes,
  eraseOrder: (command: EraseOrder) => eraseOrder(command, Object.values(erase)),
};

/** Commands of which every process hears by the revision. */
export const { announcedWrites } = house;
