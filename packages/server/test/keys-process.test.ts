import { join } from 'node:path';
import { issueKey, rotateKey } from '@topup-kit/core/engine';
import { secureRandom } from '@topup-kit/core/platform';
import { describe, expect, it } from 'vitest';
import { createSqliteStore, sha256Hex } from '../src/index.ts';
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
    store,
    deps,
    status,
    issue: (expiresAt: number | null = null) =>
      issueKey(deps, { mode: 'test', accountId: 'shop', name: 'shop', scopes: ['catalog:read'], expiresAt }),
    /** Sends requests with a key until one is rejected; returns how long after a moment that was, in milliseconds. */
    async rejectedAfter(key: string, since: number): Promise<number> {
      while ((await status(key)) === 200)
        if (Date.now() - since > 5_000) throw new Error('The key still works after 5 s.');
      return Date.now() - since;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

describe('a running server in another process', () => {
  it('rejects a key that is in use within a second of its revocation', async () => {
    await using both = await startBoth();
    for (let count = 0; count < 3; count += 1) {
      const { key, stored } = await both.issue();
      await expect.poll(() => both.status(key), { timeout: 1_000, interval: 10 }).toBe(200);
      await both.store.revokeKey(stored.keyId, Date.now());
      expect(await both.rejectedAfter(key, Date.now())).toBeLessThan(1_000);
    }
  });

  it('rejects a key that is in use within a second of its expiry, and of the end of an overlap', async () => {
    await using both = await startBoth();
    const expiresAt = Date.now() + 1_500;
    const { key } = await both.issue(expiresAt);
    const old = await both.issue();
    await expect.poll(() => both.status(old.key), { timeout: 1_000, interval: 10 }).toBe(200);
    await rotateKey(both.deps, old.stored, { mode: 'test', overlapMs: expiresAt - Date.now() });
    for (const expiring of [key, old.key]) {
      const after = await both.rejectedAfter(expiring, expiresAt);
      expect(after).toBeGreaterThanOrEqual(0);
      expect(after).toBeLessThan(1_000);
    }
  });

  it('stores when a key was used', async () => {
    await using both = await startBoth();
    const before = Date.now();
    const { key } = await both.issue();
    await expect.poll(() => both.status(key), { timeout: 1_000, interval: 10 }).toBe(200);
    await expect
      .poll(async () => (await both.store.listKeys())[0]?.lastUsedAt, { timeout: 2_000, interval: 20 })
      .toBeGreaterThanOrEqual(before);
  });
});
