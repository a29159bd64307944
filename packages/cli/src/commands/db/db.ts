import type { Define } from '../../define-command.ts';
import { defineStatus } from './status.ts';

export const defineDb: Define = (db, io) => {
  db.addHelpText('after', '\nThese work on the store itself, also while a server runs.');
  defineStatus(db, io);
};
