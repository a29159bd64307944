import { writeFile } from 'node:fs/promises';
import { responsesSource, typesSource } from '../../core/scripts/types.ts';
import { responseShapesSource } from './response-shapes.ts';

/** The sources that are generated from the contract, by their path in `src`. */
export const generated: Record<string, () => string> = {
  'generated/responses.ts': responsesSource,
  'generated/types.ts': () => typesSource('open'),
  'validation/generated/response-shapes.ts': responseShapesSource,
};

if (import.meta.main)
  for (const [name, source] of Object.entries(generated))
    await writeFile(new URL(`../src/${name}`, import.meta.url), source());
