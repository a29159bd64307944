import type { Define } from '../../define-command.ts';
import { defineCheck } from './check.ts';
import { defineDiff } from './diff.ts';
import { defineExport } from './export.ts';
import { defineGenerate } from './generate.ts';
import { defineImport } from './import.ts';

export const defineCatalog: Define = (catalog, io) => {
  catalog.addHelpText(
    'after',
    `
These work on the store itself; check and generate need none. The store is what
counts: a catalogue file changes nothing until it is imported. A running server
notices within a second.`,
  );
  defineCheck(catalog, io);
  defineDiff(catalog, io);
  defineImport(catalog, io);
  defineExport(catalog, io);
  defineGenerate(catalog, io);
};
