import { defineGroup } from '../../define-command.ts';
import { sales } from './sales.ts';
import { settlement } from './settlement.ts';

export const noun = defineGroup(
  `These commands work on the store, as an operator, also while a server runs on it.
docs/reports.md of the repository explains each column.`,
  [sales, settlement],
);
