import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { catalogFileSchema } from '../src/engine/catalog/file.ts';

describe('docs/catalog.schema.json', () => {
  it('documents the schema that catalogue files are checked with (vitest -u updates it)', async () => {
    const schema = z.toJSONSchema(catalogFileSchema, { io: 'input' });
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
      '../../../docs/catalog.schema.json',
    );
  });
});
