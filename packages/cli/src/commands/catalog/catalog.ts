import { defineGroup } from '../../define-command.ts';
import { diffCatalog } from './diff.ts';
import { checkCatalog, exportCatalog } from './files.ts';
import { generate } from './generate.ts';
import { importCatalog } from './import.ts';

export const catalog = defineGroup(
  `These commands work on the store itself; check and generate need no store. A
catalogue file has no effect until it is imported. A running server picks up the
change within a second.`,
  [checkCatalog, diffCatalog, importCatalog, exportCatalog, generate],
);
