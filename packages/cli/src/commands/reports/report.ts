import { defineGroup } from '../../define-command.ts';
import { sales } from './sales.ts';
import { settlement } from './settlement.ts';

export const noun = defineGroup(
  `These commands work on the store, as an operator, even while a server uses it.
docs/reports.md of the repository explains each column.`,
  [sales, settlement],
);
