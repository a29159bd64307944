import { describe, expect, it } from 'vitest';
import { sandboxKey } from '../src/contract/index.ts';
import { type JournalEntry, maxJournalEntries } from '../src/features/sandbox/index.ts';
import { maxKeptBody } from '../src/features/sandbox/journal.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

type Service = Awaited<ReturnType<typeof createTestService>>;

const ask = ({ app }: Service, query = '', direct = true) =>
  app.fetch(new Request(`http://localhost/sandbox/requests${query}`), { address: '127.0.0.1', direct });

async function listed(service: Service, query = ''): Promise<JournalEntry[]> {
  const response = await ask(service, query);
  expect(response.status).toBe(200);
  return (await response.json()).data.requests;
}

const numbers = (entries: { number: number }[]) => entries.map(({ number }) => number);

describe('the journal of a sandbox', () => {
  it('records a request and its response', async () => {
    const service = await createTestService();
    const { json, text } = await service.order(fixtureOrder, { headers: { 'X-Request-Id': 'mine' } });
    const [entry, ...others] = await listed(service);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      ...{ number: 1, at_ms: service.clock.now, duration_ms: 0, request_id: 'mine' },
      ...{ method: 'POST', target: '/api/order', operation: 'createOrder', scenario: 'none', status: 201 },
      ...{ error_code: null, order_id: json.orderId },
      request: {
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(fixtureOrder),
        body_cut: false,
      },
      response: {
        headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'mine' },
        body: text,
        body_cut: false,
      },
    });
  });

  it('records the error code of a rejected request, even without an operation', async () => {
    const service = await createTestService();
    await service.order({ ...fixtureOrder, promo_code: 'NOPE' });
    await service.get('/nowhere?page=2');
    await service.get('/games', { key: 'wrong' });
    expect(
      (await listed(service)).map(({ target, operation, status, error_code }) => [
        ...[target, operation, status, error_code],
      ]),
    ).toEqual([
      ['/api/games', 'listGames', 401, 'UNAUTHORIZED'],
      ['/api/nowhere?page=2', null, 404, 'ROUTE_NOT_FOUND'],
      ['/api/order', 'createOrder', 422, 'PROMO_NOT_FOUND'],
    ]);
  });

  it('records no key, wherever the request contained it', async () => {
    const service = await createTestService();
    await service.order(
      { ...fixtureOrder, nickname: sandboxKey },
      { headers: { Authorization: 'Bearer abc', Cookie: 'session=1' } },
    );
    await service.get(`/games?key=${sandboxKey}`, { key: 'my-own-secret' });
    const text = await (await ask(service)).text();
    expect(text).not.toContain(sandboxKey);
    const [second, first] = service.journal.list();
    expect(second).toMatchObject({
      target: '/api/games?key=tk_test_[secret]',
      request: { headers: { 'x-api-key': '[secret]' } },
    });
    expect(first?.request.headers).toMatchObject({
      'x-api-key': 'tk_test_[secret]',
      authorization: '[secret]',
      cookie: '[secret]',
    });
    expect(first?.request.body).toContain('"nickname":"tk_test_[secret]"');
  });

  it('records no requests outside the interface, such as requests to the control routes', async () => {
    const service = await createTestService();
    await ask(service);
    await service.app.fetch(new Request('http://localhost/health'));
    expect(await listed(service)).toEqual([]);
  });

  it('cuts long bodies', async () => {
    const service = await createTestService();
    const long = 'x'.repeat(maxKeptBody);
    await service.order({ ...fixtureOrder, nickname: long });
    await service.get('/games');
    await service.get('/games');
    const [again, games, order] = service.journal.list();
    expect(order?.request).toMatchObject({ body_cut: true });
    expect(order?.request.body).toHaveLength(maxKeptBody);
    for (const entry of [games, again]) {
      expect(entry?.response.body_cut).toBe(true);
      expect(entry?.response.body).toHaveLength(maxKeptBody);
      expect(entry?.response.body).toMatch(/^\{"success":true/);
    }
    expect(order?.response.body_cut).toBe(false);
  });

  it('records the active fault, and a cut connection', async () => {
    const service = await createTestService();
    service.sandbox.chooseScenario('offline');
    await service.app.handle(
      {
        method: 'GET',
        target: '/api/games',
        header: (name) => (name === 'X-API-KEY' ? sandboxKey : null),
        headers: () => [],
        readBody: async () => new Uint8Array(),
        toRequest: () => new Request('http://localhost/api/games'),
      },
      { address: '127.0.0.1', direct: true },
    );
    expect(await listed(service)).toMatchObject([{ status: null, scenario: 'offline' }]);
  });

  it('keeps only the last requests, and finds each by its number', async () => {
    const service = await createTestService();
    for (let count = 0; count < maxJournalEntries + 2; count += 1) await service.get(`/nowhere?${count}`);
    const all = await listed(service, `?limit=${maxJournalEntries}`);
    expect(all).toHaveLength(maxJournalEntries);
    expect(all[0]).toMatchObject({
      number: maxJournalEntries + 2,
      target: `/api/nowhere?${maxJournalEntries + 1}`,
    });
    expect(all.at(-1)).toMatchObject({ number: 3 });
    expect(service.journal.find(3)).toMatchObject({ number: 3, target: '/api/nowhere?2' });
    for (const gone of [0, 2, maxJournalEntries + 3]) expect(service.journal.find(gone)).toBeUndefined();
  });

  it('lists a number of requests, newest first, and the requests after a number', async () => {
    const service = await createTestService();
    for (let count = 0; count < 60; count += 1) await service.get('/nowhere');
    expect(await listed(service)).toHaveLength(50);
    expect(numbers(await listed(service, '?limit=2'))).toEqual([60, 59]);
    expect(numbers(await listed(service, '?after=57'))).toEqual([60, 59, 58]);
    expect(numbers(await listed(service, '?after=60'))).toEqual([]);
    for (const query of ['?limit=0', '?limit=501', '?limit=x', '?after=-1'])
      expect((await ask(service, query)).status).toBe(422);
  });

  it("allows direct requests and the sandbox's key to read the journal", async () => {
    const service = await createTestService();
    expect((await ask(service)).status).toBe(200);
    expect((await ask(service, '', false)).status).toBe(401);
  });
});
