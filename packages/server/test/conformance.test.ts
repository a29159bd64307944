import { join } from 'node:path';
import { conformanceCases, runCase, type Target } from '@topup-kit/core/conformance';
import { scopes } from '@topup-kit/core/contract';
import { issueKey } from '@topup-kit/core/engine';
import { secureRandom } from '@topup-kit/core/platform';
import { afterAll, assert, beforeAll, describe, it } from 'vitest';
import { openStore, sha256Hex } from '../src/index.ts';
import { startSandbox, temporaryFolder } from './helpers/sandbox.ts';

describe('conformance, Node HTTP over the file store', () => {
  const resources = new AsyncDisposableStack();
  let target: Target;

  beforeAll(async () => {
    const folder = resources.use(await temporaryFolder());
    const path = join(folder.path, 'topup.db');
    const { baseUrl, sandboxKey } = resources.use(await startSandbox({ TOPUP_STORE: `file:${path}` }));
    const store = openStore({ kind: 'file', path });
    const { key } = await issueKey(
      { store, hash: sha256Hex, random: secureRandom, realClock: Date.now },
      { mode: 'test', accountId: 'another', name: 'another', scopes },
    );
    await store.close();
    const control = async (route: string, body: object = {}): Promise<void> => {
      const headers = { 'Content-Type': 'application/json' };
      const url = new URL(`/sandbox${route}`, baseUrl);
      const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      assert(status === 200, `${route} answered ${status}`);
    };
    target = {
      baseUrl,
      apiKey: sandboxKey ?? '',
      otherApiKey: key,
      sandbox: {
        act: (orderId, action) => control(`/orders/${orderId}/${action}`),
        advance: (by) => control('/advance', { by: `${by}ms` }),
      },
      fetch: (url, init) => fetch(url, init),
    };
  });
  afterAll(() => resources.disposeAsync());

  for (const one of conformanceCases)
    it(one.name, { timeout: 60_000 }, async () => {
      const { outcome, reason } = await runCase(one, target);
      assert(outcome === 'passed', reason);
    });
});
