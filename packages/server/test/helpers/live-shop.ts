import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scopes } from '@topup-kit/core/contract';
import { issueKey } from '@topup-kit/core/engine';
import { secureRandom } from '@topup-kit/core/platform';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { openStore, readConfig, sha256Hex, startServer } from '../../src/internal.ts';
import { liveParts } from './live-parts.ts';
import { temporaryFolder } from './sandbox.ts';

/** A key for everything in the store file at this path, which is made if it is missing. */
export async function issueLiveKey(path: string): Promise<string> {
  const store = openStore({ kind: 'file', path });
  const { key } = await issueKey(
    { store, hash: sha256Hex, random: secureRandom, realClock: Date.now },
    { mode: 'live', accountId: 'shop', name: 'shop', scopes },
  );
  await store.close();
  return key;
}

/** A live server with a catalogue in a folder of its own, and a key for everything. */
export async function startLiveShop(
  settings: Record<string, string> = {},
  file: unknown = sandboxCatalogFile,
) {
  await using started = new AsyncDisposableStack();
  const folder = started.use(await temporaryFolder());
  const path = join(folder.path, 'topup.db');
  const catalog = join(folder.path, 'catalog.json');
  await writeFile(catalog, JSON.stringify(file));
  const key = await issueLiveKey(path);
  const config = readConfig({
    TOPUP_STORE: `file:${path}`,
    TOPUP_CATALOG: catalog,
    TOPUP_LOG_LEVEL: 'silent',
    PORT: '0',
    ...settings,
  });
  const server = started.use(await startServer(config, liveParts));
  const all = started.move();
  return { server, key, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
