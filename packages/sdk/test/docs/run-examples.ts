import { runInThisContext } from 'node:vm';
import { type RunningServer, readConfig, startServer } from '@topup-kit/server';
import { afterAll, beforeAll, vi } from 'vitest';
import { createErrors } from './errors.ts';
import { compiled, type Example } from './examples.ts';
import { createPrelude, modules, orderRequest, type Prelude } from './prelude.ts';

/** Sends the requests of all examples to the sandbox, with its key. */
function redirectToSandbox(server: RunningServer): void {
  const realFetch = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const asked = new Request(input, init);
    const { pathname, search } = new URL(asked.url);
    const passedOn = new Request(server.publicUrl + pathname + search, asked);
    if (server.sandboxKey) passedOn.headers.set('X-API-KEY', server.sandboxKey);
    return realFetch(passedOn);
  });
}

async function deliveredOrder({ publicUrl }: RunningServer): Promise<string> {
  const created = await createPrelude('', undefined).client.orders.create(orderRequest);
  for (const action of ['pay', 'deliver'])
    await fetch(`${publicUrl}/sandbox/orders/${created.orderId}/${action}`, { method: 'POST' });
  return created.orderId;
}

/**
 * Runs examples against a sandbox that lives as long as the tests of a file. An example that uses `error` runs with an
 * error of each of `codes`.
 *
 * @param names the names that examples may use without an import
 */
export function examplesForTests(names: string[], codes: string[]): (example: Example) => Promise<void> {
  let server: RunningServer;
  let orderId: string;
  let errors: unknown[];
  beforeAll(async () => {
    server = await startServer(readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0' }));
    redirectToSandbox(server);
    orderId = await deliveredOrder(server);
    errors = await createErrors(codes);
  });
  afterAll(async () => {
    vi.unstubAllGlobals();
    await server[Symbol.asyncDispose]();
  });

  async function runOnce(example: Example, error: unknown): Promise<void> {
    // Safe: `compiled` returns such a function.
    const body = runInThisContext(compiled(example, names)) as (
      prelude: Prelude & { load: (name: string) => Promise<unknown> },
    ) => Promise<void>;
    await body({
      ...createPrelude(orderId, error),
      load: async (name) => modules[name]?.() ?? Promise.reject(new Error(`no module ${name}`)),
    });
  }

  return async (example) => {
    const caught = /\berror\b/.test(example.code) ? errors : [undefined];
    for (const error of caught) await runOnce(example, error);
  };
}
