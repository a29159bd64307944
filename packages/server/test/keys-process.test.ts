import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issueKey, rotateKey } from '@topup-kit/core/engine';
import { secureRandom } from '@topup-kit/core/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSqliteStore, sha256Hex } from '../src/internal.ts';
import { temporaryFolder } from './helpers/sandbox.ts';
import { startServerProcess } from './helpers/server-process.ts';

/** A server in its own process, and this process at its store, as an operator's command. */
async function startBoth() {
  const resources = new AsyncDisposableStack();
  const { path } = resources.use(await temporaryFolder());
  const file = join(path, 'topup.db');
  const { baseUrl } = resources.use(await startServerProcess({ TOPUP_STORE: `file:${file}` }));
  const store = createSqliteStore({ path: file });
  resources.defer(() => store.close());
  const deps = { store, hash: sha256Hex, random: secureRandom, realClock: Date.now };
  const status = async (key: string): Promise<number> => {
    const response = await fetch(`${baseUrl}/games`, { headers: { 'X-API-KEY': key } });
    await response.body?.cancel();
    return response.status;
  };
  return {
    path,
    store,
    deps,
    status,
    issue: (expiresAt: number | null = null) =>
      issueKey(deps, { mode: 'test', accountId: 'shop', name: 'shop', scopes: ['catalog:read'], expiresAt }),
    /**
     * Sends requests with a key until one is rejected. Returns in milliseconds how long after a moment the last accepted one was sent,
     * so that a slow response of a busy machine doesn't count, and how long after it the rejection arrived.
     */
    async untilRejected(key: string, since: number): Promise<{ accepted: number; rejected: number }> {
      for (let accepted = Number.NEGATIVE_INFINITY; ; ) {
        const sent = Date.now() - since;
        if ((await status(key)) !== 200) return { accepted, rejected: Date.now() - since };
        accepted = sent;
        if (sent > 5_000) throw new Error('The key still works after 5 s.');
      }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

let both: Awaited<ReturnType<typeof startBoth>>;
beforeAll(async () => {
  both = await startBoth();
});
afterAll(() => both[Symbol.asyncDispose]());

it('stores no key in any file of the store', async () => {
  const issued = [await both.issue(), await both.issue(Date.now() + 60_000)];
  const [first] = issued;
  if (!first) throw new Error('no key');
  const rotated = await rotateKey(both.deps, first.stored, { mode: 'test', overlapMs: 60_000 });
  if ('conflict' in rotated) throw new Error(rotated.conflict);
  for (const { key } of issued)
    await expect.poll(() => both.status(key), { timeout: 1_000, interval: 10 }).toBe(200);
  const files = await readdir(both.path);
  const bytes = Buffer.concat(await Promise.all(files.map((file) => readFile(join(both.path, file)))));
  for (const { key, stored } of [...issued, rotated]) {
    expect(bytes.includes(stored.hash)).toBe(true);
    // Not even the part that no two keys share.
    expect(bytes.includes(key.slice('tk_test_'.length))).toBe(false);
  }
});

describe('a running server in another process', () => {
  it('rejects a used key within a second after its revocation in another process', async () => {
    for (let count = 0; count < 3; count += 1) {
      const { key, stored } = await both.issue();
      await expect.poll(() => both.status(key), { timeout: 1_000, interval: 10 }).toBe(200);
      await both.store.revokeKey(stored.keyId, Date.now());
      expect((await both.untilRejected(key, Date.now())).accepted).toBeLessThan(1_000);
    }
  });

  it('rejects a used key within a second after its expiry or the end of its overlap', async () => {
    const expiresAt = Date.now() + 1_500;
    const { key } = await both.issue(expiresAt);
    const old = await both.issue();
    await expect.poll(() => both.status(old.key), { timeout: 1_000, interval: 10 }).toBe(200);
    await rotateKey(both.deps, old.stored, { mode: 'test', overlapMs: expiresAt - Date.now() });
    for (const expiring of [key, old.key]) {
      const { accepted, rejected } = await both.untilRejected(expiring, expiresAt);
      expect(rejected).toBeGreaterThanOrEqual(0);
      expect(accepted).toBeLessThan(1_000);
    }
  });

  it('records when a key was used', async () => {
    const before = Date.now();
    const { key, stored } = await both.issue();
    await expect.poll(() => both.status(key), { timeout: 1_000, interval: 10 }).toBe(200);
    await expect
      .poll(async () => (await both.store.findKey(stored.hash))?.lastUsedAt, { timeout: 2_000, interval: 20 })
      .toBeGreaterThanOrEqual(before);
  });
});
