import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ErrorCode, errors, operations, type Route, routes } from '@topup-kit/core/contract';
import { describe, expect, it } from 'vitest';
import { collectionFiles, collectionsFolder } from '../../scripts/collections.ts';

const file = 'postman/topup-kit.postman_collection.json';

interface PostmanItem {
  name: string;
  response: { name: string; code: number; body: string; header: { key: string; value: string }[] }[];
}
// Safe: this repository generates it; in the slow test, Postman's own runner reads it.
const postman = JSON.parse(collectionFiles()[file] ?? '') as { item: { item: PostmanItem[] }[] };
const items = postman.item.flatMap(({ item }) => item);

describe('the collections', () => {
  it('keeps the collections up to date with the contract', async () => {
    const written = globSync(['bruno/**/*', 'postman/*'], { cwd: collectionsFolder })
      .filter((path) => /\.\w+$/.test(path))
      .sort();
    const generated = collectionFiles();
    expect(written).toEqual(Object.keys(generated).sort());
    for (const [path, text] of Object.entries(generated))
      expect(await readFile(join(collectionsFolder, path), 'utf8'), 'run `npx -y pnpm@12 generate`').toBe(
        text,
      );
  });

  it('includes every operation, and pays an order directly after placing it', () => {
    const names = items.map(({ name }) => name);
    expect(names.toSorted()).toEqual([...operations, 'payOrder'].sort());
    expect(names.indexOf('payOrder')).toBe(names.indexOf('createOrder') + 1);
    const inBruno = Object.keys(collectionFiles()).flatMap((path) => /(\w+)\.bru$/.exec(path)?.[1] ?? []);
    expect(inBruno).toEqual(expect.arrayContaining(names));
  });

  it.each(operations)('shows an example of each error of %s as the service sends it', (operation) => {
    const { errors: own }: Route = routes[operation];
    const codes: ErrorCode[] = [
      ...(['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED', 'SERVER_ERROR', 'UNAVAILABLE'] as const),
      ...own,
    ];
    const examples = items.find(({ name }) => name === operation)?.response ?? [];
    expect(examples.map(({ name }) => name).sort()).toEqual(['Success', ...codes].sort());
    for (const code of codes) {
      const example = examples.find(({ name }) => name === code);
      expect(example?.code).toBe(errors[code].status);
      expect(example?.header).toContainEqual({ key: 'X-Error-Code', value: code });
      expect(JSON.parse(example?.body ?? '')).toHaveProperty('message');
    }
  });
});
