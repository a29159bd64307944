import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { type Entry, readApi } from '../../scripts/api/read-api.ts';
import { regenerate, renderApi } from '../../scripts/api/render-api.ts';

let entries: Entry[];
// The compiler reads all sources, but only once.
beforeAll(() => {
  entries = readApi();
}, 60_000);

it('keeps api.md up to date with the sources', async () => {
  const written = await readFile(new URL('../../api.md', import.meta.url), 'utf8');

  expect(written === renderApi(entries), `api.md is stale: run ${regenerate}`).toBe(true);
});

it('describes every option', () => {
  const options = entries
    .flatMap(({ exports }) => exports)
    .filter(({ kind }) => kind === 'options')
    .flatMap(({ name, members }) =>
      members.map((member) => ({ ...member, option: `${name}.${member.name}` })),
    );

  expect(options.filter(({ summary }) => summary === '').map(({ option }) => option)).toEqual([]);
});
