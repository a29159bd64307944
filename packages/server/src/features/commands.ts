import type { EraseOrder, RoomErasure } from '@topup-kit/core/store';
import { clearOrders } from '../sql/change-order.ts';
import * as house from '../sql/commands.ts';
import { eraseOrder } from '../sql/erasures.ts';
import type { Command } from '../sql/statement.ts';
import * as callbacks from './callbacks/sql.ts';
import * as catalog from './catalog/sql.ts';
import * as console from './console/sql.ts';
import * as reports from './reports/sql.ts';
import { eraseOrder as eraseWebhooks } from './webhooks/inspect.ts';
import * as webhooks from './webhooks/sql.ts';

/** Each room's command that erases the room's data about an order. */
const erase: Readonly<Record<string, (orderId: string) => Command<RoomErasure>>> = {
  callbacks: callbacks.eraseOrder,
  webhooks: eraseWebhooks,
};

/** Tables of rooms that are emptied together with the orders. */
const tables: Readonly<Record<string, readonly string[]>> = {
  callbacks: callbacks.tablesOfOrders,
  reports: reports.tablesOfOrders,
  webhooks: webhooks.tablesOfOrders,
};

export const reads = {
  ...house.reads,
  ...callbacks.reads,
  ...catalog.reads,
  ...console.reads,
  ...reports.reads,
  ...webhooks.reads,
};

export const writes = {
  ...house.writes,
  ...callbacks.writes,
  ...console.writes,
  ...reports.writes,
  ...webhooks.writes,
  clearOrders: () => clearOrders(Object.values(tables).flat()),
  eraseOrder: (command: EraseOrder) => eraseOrder(command, Object.values(erase)),
};

/** Commands whose changes every process notices by the revision. */
export const announcedWrites = {
  ...house.announcedWrites,
  ...catalog.announcedWrites,
};
