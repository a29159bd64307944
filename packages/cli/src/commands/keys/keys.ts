import type { Define } from '../define.ts';
import { defineCreate } from './create.ts';
import { defineList } from './list.ts';
import { defineRevoke } from './revoke.ts';

export const defineKeys: Define = (keys, io) => {
  keys.addHelpText('after', '\nThese work on the store itself; a running server notices within a second.');
  defineCreate(keys, io);
  defineList(keys, io);
  defineRevoke(keys, io);
};
