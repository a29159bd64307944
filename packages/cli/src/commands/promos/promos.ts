import type { Define } from '../define.ts';
import { defineCreate, defineDisable, defineEnable } from './edit.ts';
import { defineList } from './list.ts';
import { defineValidate } from './validate.ts';

export const definePromos: Define = (promos, io) => {
  promos.addHelpText(
    'after',
    `
validate asks the service, as a customer does. The others work on the store, as
its operator; a running server notices within a second.`,
  );
  defineValidate(promos, io);
  defineList(promos, io);
  defineCreate(promos, io);
  defineDisable(promos, io);
  defineEnable(promos, io);
};
