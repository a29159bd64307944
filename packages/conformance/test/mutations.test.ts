import { readFile } from 'node:fs/promises';
import { createMockService } from '@topup-kit/mock';
import { expect, it } from 'vitest';
import {
  type ConformanceResult,
  type ConformanceTarget,
  conformanceCases,
  parseStatements,
  runConformance,
} from '../src/index.ts';
import { type Exchange, mutations } from './helpers/mutations.ts';

/** The service behind a fetch that mutates its responses; `before` may change the request. */
function target(
  mutate: (exchange: Exchange) => void,
  before: (init: RequestInit) => RequestInit = (init) => init,
): ConformanceTarget {
  const { baseUrl, apiKey, fetch } = createMockService();
  return {
    baseUrl,
    apiKey,
    async fetch(url, init = {}) {
      const response = await fetch(url, before(init));
      const text = await response.text();
      const exchange: Exchange = {
        method: init.method ?? 'GET',
        path: url.slice(baseUrl.length),
        status: response.status,
        body: JSON.parse(text),
      };
      mutate(exchange);
      return Response.json(exchange.body, { status: exchange.status, headers: response.headers });
    },
  };
}

const interfaceText = await readFile(new URL('../../../docs/interface.md', import.meta.url), 'utf8');
const sentences = parseStatements(interfaceText).map(({ id }) => `interface ${id}`);

async function failuresOf(service: ConformanceTarget): Promise<ConformanceResult[]> {
  const results = await runConformance(service, {
    writes: true,
    only: ({ origin }) => origin === 'interface',
  });
  const failures = results.filter(({ outcome }) => outcome === 'failed');
  for (const { difference, reason } of failures) expect(sentences, reason).toContain(difference?.by);
  return failures;
}

/** Expects that a case failed for one of the sentences that it cites. */
function expectCaught(failures: ConformanceResult[], name: string): void {
  const failure = failures.find((one) => one.name === name);
  expect(failure, `one of ${failures.map((one) => one.name).join(', ')}`).toBeDefined();
  expect(failure?.cites).toContain(failure?.difference?.by);
}

it('finds no failure in the unchanged service', async () => {
  expect(await failuresOf(target(() => {}))).toEqual([]);
});

for (const { name, mutate, caughtBy } of mutations)
  it(`detects this mutation: ${name}`, async () => {
    expectCaught(await failuresOf(target(mutate)), caughtBy);
  });

it('detects a service that ignores the key', async () => {
  const { apiKey } = createMockService();
  const withKey = (init: RequestInit): RequestInit => {
    const headers = new Headers(init.headers);
    headers.set('X-API-KEY', apiKey);
    return { ...init, headers };
  };
  const failures = await failuresOf(target(() => {}, withKey));
  expectCaught(failures, 'authentication: GET /games without a key responds with 401 and a message');
  expectCaught(failures, 'authentication: GET /games with a wrong key responds with 401 and a message');
});

it("detects a service that doesn't respond in time", async () => {
  const slow: ConformanceTarget = { ...target(() => {}), fetch: () => new Promise(() => {}) };
  const [first] = await runConformance(slow, { only: (one) => one === conformanceCases[0], timeoutMs: 20 });
  expect(first).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('20 ms') });
});

it('sends only GET requests unless writes are allowed', async () => {
  const methods = new Set<string>();
  const results = await runConformance(target(({ method }) => methods.add(method)));
  expect([...methods]).toEqual(['GET']);
  expect(results.filter(({ outcome }) => outcome === 'skipped').length).toBeGreaterThan(0);
});

it.each([
  ['remembers', false, 'passed'],
  ['forgets after a day', true, 'failed'],
])('learns whether a service %s keys', async (_what, forgets, outcome) => {
  const { baseUrl, apiKey, fetch, clock, orders } = createMockService();
  let age = 0;
  const service: ConformanceTarget = {
    baseUrl,
    apiKey,
    sandbox: {
      act: (orderId, action) => orders[action](orderId).then(() => {}),
      async advance(by) {
        age += by;
        await clock.advance(by);
      },
    },
    fetch(url, init = {}) {
      const headers = new Headers(init.headers);
      const key = headers.get('Idempotency-Key');
      if (forgets && key !== null && age > 86_400_000) headers.set('Idempotency-Key', `${key}-later`);
      return fetch(url, { ...init, headers });
    },
  };
  const [result, ...others] = await runConformance(service, {
    writes: true,
    only: ({ name }) => name.includes('a key is not forgotten'),
  });
  expect(others).toEqual([]);
  expect(result?.outcome).toBe(outcome);
  expect(result?.difference?.by).toBe(
    forgets ? 'open-points Idempotency/A-key-belongs-to-its-order' : undefined,
  );
});
