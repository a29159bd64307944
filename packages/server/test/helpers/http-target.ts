import { join } from 'node:path';
import type { ConformanceTarget } from '@topup-kit/conformance';
import { scopes } from '@topup-kit/core/contract';
import { issueKey } from '@topup-kit/core/engine';
import { secureRandom } from '@topup-kit/core/platform';
import { openStore, readConfig, sha256Hex } from '../../src/internal.ts';
import { startSandbox, temporaryFolder } from './sandbox.ts';

/** A sandbox server over a store, by default a file, as a target of the conformance suite. */
export async function startHttpTarget(
  address?: string,
): Promise<AsyncDisposable & { target: ConformanceTarget }> {
  await using starting = new AsyncDisposableStack();
  const folder = starting.use(await temporaryFolder());
  const environment = { TOPUP_STORE: address ?? `file:${join(folder.path, 'topup.db')}` };
  const { baseUrl, sandboxKey } = starting.use(await startSandbox(environment));
  const store = openStore(readConfig(environment).store);
  const { key } = await issueKey(
    { store, hash: sha256Hex, random: secureRandom, realClock: Date.now },
    { mode: 'test', accountId: 'another', name: 'another', scopes },
  );
  await store.close();
  const control = async (route: string, body: object = {}): Promise<void> => {
    const headers = { 'Content-Type': 'application/json' };
    const url = new URL(`/sandbox${route}`, baseUrl);
    const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (status !== 200) throw new Error(`${route} returned ${status}`);
  };
  const resources = starting.move();
  return {
    target: {
      baseUrl,
      apiKey: sandboxKey ?? '',
      otherApiKey: key,
      sandbox: {
        act: (orderId, action) => control(`/orders/${orderId}/${action}`),
        advance: (by) => control('/advance', { by: `${by}ms` }),
      },
      fetch: (url, init) => fetch(url, init),
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
