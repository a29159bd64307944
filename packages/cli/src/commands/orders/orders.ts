import { defineGroup } from '../../define-command.ts';
import { refund, retry } from './change.ts';
import { create } from './create.ts';
import { list } from './list.ts';
import { reconcile } from './reconcile.ts';
import { show } from './show.ts';
import { watch } from './watch.ts';

export const orders = defineGroup(
  `create, show and watch ask the service, as a customer does. The others, and
show with --history, work on the store, as its operator; a running server
notices within a second.`,
  [create, show, watch, list, refund, retry, reconcile],
);
