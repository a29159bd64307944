import { defineGroup } from '../../define-command.ts';
import { diffCatalog } from './diff.ts';
import { checkCatalog, exportCatalog } from './files.ts';
import { generate } from './generate.ts';
import { importCatalog } from './import.ts';

export const catalog = defineGroup(
  `These work on the store itself; check and generate need none. The store is what
counts: a catalogue file changes nothing until it is imported. A running server
notices within a second.`,
  [checkCatalog, diffCatalog, importCatalog, exportCatalog, generate],
);
