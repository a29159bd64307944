import { readFile } from 'node:fs/promises';
import { readCatalogFile } from '@topup-kit/core/engine';
import { expect, it } from 'vitest';

it('shows a valid catalogue in docs/catalog.md', async () => {
  const page = await readFile(new URL('../../../docs/catalog.md', import.meta.url), 'utf8');
  const [, shown = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  expect(readCatalogFile(JSON.parse(shown))).toHaveProperty('catalog');
});
