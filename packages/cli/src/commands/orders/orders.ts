import type { Define } from '../define.ts';
import { defineRefund, defineRetry } from './change.ts';
import { defineCreate } from './create.ts';
import { defineList } from './list.ts';
import { defineReconcile } from './reconcile.ts';
import { defineShow } from './show.ts';
import { defineWatch } from './watch.ts';

export const defineOrders: Define = (orders, io) => {
  orders.addHelpText(
    'after',
    `
create, show and watch ask the service, as a customer does. The others, and
show with --history, work on the store, as its operator; a running server
notices within a second.`,
  );
  defineCreate(orders, io);
  defineShow(orders, io);
  defineWatch(orders, io);
  defineList(orders, io);
  defineRefund(orders, io);
  defineRetry(orders, io);
  defineReconcile(orders, io);
};
