import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSecret } from '../src/config/providers.ts';
import { filePath, storeAddress } from '../src/config/variable.ts';
import { readConfig, startServer } from '../src/index.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'topup-'));
});
afterAll(() => rm(folder, { recursive: true }));

it.each(['file:~/x.db', 'file:~', 'file:~\\x.db'])('rejects %s as a store, and explains why', (text) => {
  expect(storeAddress(text)).toBeUndefined();
  expect(() => readConfig({ TOPUP_STORE: text })).toThrow(/TOPUP_STORE takes .*~ is not expanded/);
});

it('rejects ~ in the path of the catalogue, and explains why', () => {
  expect(() => readConfig({ TOPUP_CATALOG: '~/games.json' })).toThrow(
    /TOPUP_CATALOG takes .*~ is not expanded/,
  );
});

it.each(['./~/x.db', '/srv/~backup/x.db', '~x.db'])('accepts %s, in which ~ is part of a name', (path) => {
  expect(filePath(path)).toBe(path);
  expect(storeAddress(`file:${path}`)).toEqual({ kind: 'file', path });
});

it('reads a secret from a file with a byte order mark', async () => {
  const file = join(folder, 'secret');
  await writeFile(file, '\ufeffof-the-shop\r\n');

  expect(readSecret({ TOPUP_SECRET_FILE: file }, 'TOPUP_SECRET')).toBe('of-the-shop');
});

it('reads a catalogue from a file with a byte order mark', async () => {
  const file = join(folder, 'catalog.json');
  const catalog = { games: [], payment_methods: [], promos: [] };
  await writeFile(file, `\ufeff${JSON.stringify(catalog)}`);
  const config = readConfig({
    TOPUP_MODE: 'sandbox',
    TOPUP_STORE: 'memory:',
    TOPUP_CATALOG: file,
    PORT: '0',
  });

  const outcome = await startServer(config).then(
    (server) => server.close(),
    (error: Error) => error.message,
  );

  expect(String(outcome)).not.toMatch(/is not JSON/);
});
