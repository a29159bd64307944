import type { Define } from '../define.ts';
import { defineCreate } from './create.ts';
import { defineDisable } from './disable.ts';
import { defineEnable } from './enable.ts';
import { defineList } from './list.ts';

export const definePromos: Define = (promos, io) => {
  promos.addHelpText('after', '\nThese work on the store itself; a running server notices within a second.');
  defineList(promos, io);
  defineCreate(promos, io);
  defineDisable(promos, io);
  defineEnable(promos, io);
};
