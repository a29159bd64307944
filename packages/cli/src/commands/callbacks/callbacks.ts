import { defineGroup } from '../../define-command.ts';
import { list } from './list.ts';
import { replay } from './replay.ts';
import { show } from './show.ts';

export const callbacks = defineGroup(
  `Gateways and suppliers report payments and deliveries by callbacks. The server
keeps each as it arrived. These commands work on the store, as an operator; a
running server makes a replay within a second.`,
  [list, show, replay],
);
