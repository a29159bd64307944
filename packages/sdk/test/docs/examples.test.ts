import { runInThisContext } from 'node:vm';
import { type RunningServer, readConfig, startServer } from '@topup-kit/server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createErrors } from './errors.ts';
import { compiled, complaintsOf, type Example, readDocs } from './examples.ts';
import { createPrelude, modules, orderRequest, type Prelude } from './prelude.ts';

const { examples, options } = readDocs();
const names = Object.keys(createPrelude('', undefined));
const namedCodes = examples.flatMap(({ code }) =>
  [...code.matchAll(/isTopupError\(error, '(\w+)'\)/g)].map(([, name = '']) => name),
);

let server: RunningServer;
let orderId: string;
let errors: unknown[];

/** Sends the requests of all examples to the sandbox, with its key. */
function redirectToSandbox(): void {
  const realFetch = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const asked = new Request(input, init);
    const { pathname, search } = new URL(asked.url);
    const passedOn = new Request(server.publicUrl + pathname + search, asked);
    if (server.sandboxKey) passedOn.headers.set('X-API-KEY', server.sandboxKey);
    return realFetch(passedOn);
  });
}

async function deliveredOrder(): Promise<string> {
  const created = await createPrelude('', undefined).client.orders.create(orderRequest);
  for (const action of ['pay', 'deliver'])
    await fetch(`${server.publicUrl}/sandbox/orders/${created.orderId}/${action}`, { method: 'POST' });
  return created.orderId;
}

beforeAll(async () => {
  server = await startServer(readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0' }));
  redirectToSandbox();
  orderId = await deliveredOrder();
  errors = await createErrors(namedCodes);
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await server[Symbol.asyncDispose]();
});

async function runExample(example: Example, error: unknown): Promise<void> {
  // safe: `compiled` returns such a function
  const body = runInThisContext(compiled(example, names)) as (
    prelude: Prelude & { load: (name: string) => Promise<unknown> },
  ) => Promise<void>;
  await body({
    ...createPrelude(orderId, error),
    load: async (name) => modules[name]?.() ?? Promise.reject(new Error(`no module ${name}`)),
  });
}

it('every example compiles', () => {
  expect(complaintsOf(examples, names)).toEqual([]);
});

it('every option has an example', () => {
  const shown = new Set(examples.map(({ of }) => of));

  expect(options.filter((option) => !shown.has(option))).toEqual([]);
});

it.each(examples)('the example of $of runs', async (example) => {
  const caught = /\berror\b/.test(example.code) ? errors : [undefined];
  for (const error of caught) await runExample(example, error);
});
