import { defineGroup } from '../../define-command.ts';
import { abandon } from './abandon.ts';
import { mark } from './change.ts';
import { create } from './create.ts';
import { exportOrders } from './export.ts';
import { list } from './list.ts';
import { mine } from './mine.ts';
import { note } from './note.ts';
import { retry } from './retry.ts';
import { search } from './search.ts';
import { show } from './show.ts';
import { watch } from './watch.ts';

export const noun = defineGroup(
  `create, show, watch and mine contact the service, as a customer. The others, and show
with --history, work on the store, as an operator; a running server picks up the
change within a second.`,
  [create, show, watch, mine, list, search, exportOrders, note, mark, retry, abandon],
);
