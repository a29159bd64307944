import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { compareTypes, readTypes, type Types } from '../../scripts/breaking.ts';

// Two compilations with the platform's types.
vi.setConfig({ testTimeout: 60_000 });

/** The types of a package whose only entry has this source. */
async function typesOf(source: string): Promise<Types> {
  const tree = await mkdtemp(join(await realpath(tmpdir()), 'topup-kit-types-'));
  try {
    await mkdir(join(tree, 'shop'));
    await writeFile(
      join(tree, 'shop/package.json'),
      JSON.stringify({ name: 'shop', exports: { '.': './index.ts' } }),
    );
    await writeFile(join(tree, 'shop/index.ts'), source);
    return readTypes(`${tree}/`, ['shop']);
  } finally {
    await rm(tree, { recursive: true });
  }
}

const before = `
  interface Hidden { price: number; note?: string }
  export interface Order { id: string; lines: Hidden[]; first: Hidden; state: 'PAID' | 'UNPAID'; [Symbol.dispose](): void }
  export interface Options { retry?: number; key: string }
  export class Client { #secret = 1; private own = 2; get(id: string): Order { throw new Error(id); } }
  export function create(options: Options): Client { throw new Error(options.key); }
  export type Method = 'QRIS' | 'VA';
  export const version = '1.0.0';
  export const gone = 1;
`;

const now = `
  export type Method = 'VA' | 'QRIS';
  interface Hidden { price: string; note?: string }
  export interface Order { id: string; lines: Hidden[]; first: Hidden; state: 'UNPAID' | 'PAID'; when: number; [Symbol.dispose](): void }
  export interface Options { retry?: number; timeout?: number; key?: string }
  export class Client { #other = 3; get(id: string, fresh: boolean): Order { throw new Error(id + fresh); } }
  export function create(options: Options): Client { throw new Error(options.key); }
  export const version = '1.1.0';
  export const added = 1;
`;

it('names each removed or changed export, and each property that became required', async () => {
  expect(compareTypes(await typesOf(before), await typesOf(now))).toEqual({
    broken: [
      'shop: Client.get: (id: string) => Order',
      'shop: Options.key: string',
      'shop: Order.first: { note?: string; price: number }',
      'shop: Order.lines: { note?: string; price: number }[]',
      'shop: gone: number',
    ],
    required: ['shop: Order.when: number'],
  });
});

it('names nothing if options, exports, private parts and the order of a union change', async () => {
  const types = await typesOf(before);
  const changed = before
    .replace("'QRIS' | 'VA'", "'VA' | 'QRIS'")
    .replace('retry?: number', 'retry?: number; timeout?: number')
    .replace('#secret = 1; private own = 2', '#other = 1')
    .replace("'1.0.0'", "'1.0.1'");

  expect(changed).not.toBe(before);
  expect(compareTypes(types, await typesOf(`${changed}\nexport const added = 1;`))).toEqual({
    broken: [],
    required: [],
  });
});
