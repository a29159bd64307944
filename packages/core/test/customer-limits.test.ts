import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../src/app/index.ts';
import { type KeyScope, scopes, trustScope } from '../src/contract/index.ts';
import { issueKey } from '../src/features/index.ts';
import { secureRandom } from '../src/platform/index.ts';
import { createTestService, sha256 } from './helpers/test-service.ts';

const rates = {
  readsPerMinute: 5,
  ordersPerMinute: 0,
  customerReadsPerMinute: 2,
  customerOrdersPerMinute: 0,
};

async function startService(limits: Partial<typeof rates> = rates) {
  const rejected: unknown[] = [];
  const service = await createTestService({
    settings: { limits: { ...defaultLimits, ...limits } },
    noteRejection: (rejection) => void rejected.push(rejection),
  });
  const { store, clock, app } = service;
  const makeKey = async (isTrusted: boolean): Promise<string> => {
    const deps = { store, hash: sha256, random: secureRandom, realClock: () => clock.now };
    const permissions: readonly KeyScope[] = isTrusted ? [...scopes, trustScope] : scopes;
    const wanted = { mode: 'test' as const, accountId: 'shop', name: 'site', scopes: permissions };
    return (await issueKey(deps, wanted)).key;
  };
  /** A request of the shop's site, for a customer. */
  const ask = (key: string, customer?: string): Promise<Response> => {
    const headers = { 'X-API-KEY': key, ...(customer !== undefined && { 'X-Topup-Customer-IP': customer }) };
    const connection = { address: '198.51.100.1', direct: false };
    return app.fetch(new Request('http://localhost/api/games', { headers }), connection);
  };
  const statuses = async (key: string, ...customers: (string | undefined)[]): Promise<number[]> => {
    const responses = [];
    for (const customer of customers) responses.push((await ask(key, customer)).status);
    return responses;
  };
  return { ...service, makeKey, ask, statuses, rejected };
}

const [one, other] = ['203.0.113.7', '203.0.113.8'];

describe('the customers that a trusted key names', () => {
  it('limits each customer of a trusted key separately, and sends the headers for that limit', async () => {
    const { makeKey, ask, statuses } = await startService();
    const key = await makeKey(true);
    expect(await statuses(key, one, one)).toEqual([200, 200]);
    const rejected = await ask(key, one);
    expect([rejected.status, await rejected.json()]).toEqual([429, { message: 'Too Many Attempts.' }]);
    expect(rejected.headers.get('RateLimit-Policy')).toBe('"reads";q=2;w=60');
    expect(rejected.headers.get('Retry-After')).toBe('60');
    expect((await ask(key, other)).headers.get('RateLimit')).toBe('"reads";r=1;t=60');
  });

  it("shares the key's limit among its customers, each with a lower limit", async () => {
    const { makeKey, statuses } = await startService();
    const key = await makeKey(true);
    const flood = Array.from({ length: 20 }, () => one);
    expect((await statuses(key, ...flood)).filter((status) => status === 200)).toHaveLength(2);
    expect(await statuses(key, other, other, '203.0.113.9', '203.0.113.10')).toEqual([200, 200, 200, 429]);
  });

  it('counts an IPv6 network as one customer', async () => {
    const { makeKey, statuses } = await startService();
    const key = await makeKey(true);
    expect(await statuses(key, '2001:db8::1', '2001:DB8:0:0:1::2', '2001:db8::3')).toEqual([200, 200, 429]);
  });

  it("gives each customer the key's limit if no other limit is set, as in earlier versions", async () => {
    const { makeKey, statuses } = await startService({ readsPerMinute: 1, ordersPerMinute: 0 });
    expect(await statuses(await makeKey(true), one, one)).toEqual([200, 429]);
  });
});

describe('a request counts only for its key', () => {
  it.each([
    ['without a name', undefined],
    ['with an empty name', ''],
    ['with a name that is not an address', 'unknown'],
    ['with a list of addresses', '203.0.113.7, 203.0.113.8'],
  ])('counts a request %s only for its key', async (_, named) => {
    const { makeKey, statuses } = await startService();
    const key = await makeKey(true);
    expect(await statuses(key, named, named, named, named, named, named)).toEqual([
      ...[200, 200, 200, 200, 200, 429],
    ]);
  });

  it("ignores the customer's address from an untrusted key", async () => {
    const { makeKey, statuses } = await startService();
    const key = await makeKey(false);
    const names = ['203.0.113.1', '203.0.113.2', '203.0.113.3', one, one, one];
    expect(await statuses(key, ...names)).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

it("gives an untrusted key with addresses no more than the key's limit", async () => {
  const { makeKey, statuses } = await startService({ readsPerMinute: 1, ordersPerMinute: 0 });
  expect(await statuses(await makeKey(false), one, other)).toEqual([200, 429]);
});

it('records every request with a valid key that a limit rejects, but no request with a wrong key', async () => {
  const { makeKey, statuses, rejected } = await startService();
  const key = await makeKey(true);
  await statuses('wrong', undefined, undefined, undefined);
  expect(rejected).toEqual([]);
  await statuses(key, one, one, one);
  expect(rejected).toEqual([{ keyId: expect.stringMatching(/^key_/), policy: 'reads' }]);
});
