import { createMockService } from '@topup-kit/mock/in-process';
import { createTopupClient } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { readCurl } from '../../../test/read-curl.ts';
import { clientCode } from '../src/app/index.ts';
import { literal } from '../src/app/request-code.ts';
import { type JournalEntry, requestCode } from '../src/features/sandbox/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

type Service = Awaited<ReturnType<typeof createTestService>>;
const target = { baseUrl: 'http://localhost/api', mode: 'sandbox' } as const;

function lastEntry({ journal }: Service): JournalEntry {
  const [entry] = journal.list({ limit: 1 });
  if (!entry) throw new Error('There was no request.');
  return entry;
}

const lastCode = (service: Service) => requestCode(lastEntry(service), target);

/** Runs code of modules, whose imports have these values. */
async function runCode(code: string | null, imports: Record<string, unknown>): Promise<void> {
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor; // Safe: it has the same parameters.
  const body = (code ?? 'throw new Error("no code")').replace(/^import .*$/gm, '');
  await new AsyncFunction(...Object.keys(imports), body)(...Object.values(imports));
}

/** Runs a test for Vitest within this one. */
async function runTest(code: string | null): Promise<string> {
  const tests: { name: string; run: () => Promise<void> }[] = [];
  await runCode(code, {
    createMockService,
    expect,
    it: (name: string, run: () => Promise<void>) => tests.push({ name, run }),
  });
  expect(tests).toHaveLength(1);
  await tests[0]?.run();
  return tests[0]?.name ?? '';
}

const paidOrder = async (service: Service): Promise<string> => {
  const { orderId } = (await service.order()).json;
  await service.sandbox.act(orderId, 'pay');
  return orderId;
};

/** Requests, with the name of their test. */
const requests: [name: string, send: (service: Service) => Promise<unknown>][] = [
  [
    'createOrder responds with 201',
    (service) => service.order({ ...fixtureOrder, nickname: `it's "me" \\` }),
  ],
  [
    'createOrder responds with 422 PROMO_NOT_FOUND',
    (service) => service.order({ ...fixtureOrder, promo_code: 'NOPE' }),
  ],
  ['createOrder responds with 422 VALIDATION_ERROR', (service) => service.order({})],
  [
    'createOrder responds with 422 MALFORMED_JSON',
    (service) =>
      service.send('/order', {
        method: 'POST',
        body: "@{'",
        headers: { 'Content-Type': 'application/json' },
      }),
  ],
  ['listGames responds with 200', (service) => service.get('/games')],
  ['listGames responds with 401 UNAUTHORIZED', (service) => service.get('/games', { key: 'wrong' })],
  ['getGame responds with 404 GAME_NOT_FOUND', (service) => service.get("/games/it's$1`{")],
  ['listOrders responds with 200', (service) => service.get('/orders?limit=2&payment_status=PAID')],
  ['getInvoice responds with 404 INVOICE_NOT_FOUND', (service) => service.get('/invoice/INV-1')],
  [
    'getPaymentStatus responds with 200',
    async (service) => service.get(`/invoice/${await paidOrder(service)}/payment-status`),
  ],
  [
    'listGames responds with 503 UNAVAILABLE',
    (service) => service.get('/games', { headers: { 'X-Topup-Scenario': 'maintenance' } }),
  ],
  [
    'createOrder responds with 500 PAYMENT_FAILED',
    async (service) => {
      service.sandbox.chooseScenario('gateway-down');
      await service.order();
    },
  ],
  ['DELETE responds with 405 METHOD_NOT_ALLOWED', (service) => service.send('/games', { method: 'DELETE' })],
];

describe('the code of a request in the journal', () => {
  it.each(requests)('writes %s for curl, which sends it again', async (_name, send) => {
    const service = await createTestService();
    await send(service);
    const before = lastEntry(service);
    await service.app.fetch(await readCurl(lastCode(service).curl ?? ''));
    const again = lastEntry(service);
    expect(again.number).toBe(before.number + 1);
    for (const field of ['method', 'target', 'error_code'] as const) expect(again[field]).toBe(before[field]);
    const parsed = ({ request }: JournalEntry): unknown => {
      try {
        return JSON.parse(request.body);
      } catch {
        return request.body;
      }
    };
    expect(parsed(again)).toEqual(parsed(before));
  });

  it.each(requests)('writes %s as a passing test with the mock', async (name, send) => {
    const service = await createTestService();
    await send(service);
    expect(await runTest(lastCode(service).mockTest)).toBe(name);
  });

  it('writes passing tests of a cut connection and a flaky service', async () => {
    const service = await createTestService();
    for (const scenario of ['offline', 'flaky'] as const) {
      service.sandbox.chooseScenario(scenario);
      for (let call = 0; call < 3; call += 1) await service.get('/games').catch(() => {});
      await runTest(lastCode(service).mockTest);
    }
    expect(lastEntry(service)).toMatchObject({ scenario: 'flaky', status: 503 });
  });

  it.each([
    ['/games', 'const { games } = await topup.games.list();'],
    ['/games/mobile-legends', "const { data } = await topup.games.get('mobile-legends');"],
    [
      '/orders?limit=2&payment_status=PAID',
      "for await (const order of topup.orders.list({\n  limit: 2,\n  payment_status: 'PAID'\n})) console.log(order);",
    ],
    ['/events?limit=3', 'const { data, next_cursor } = await topup.events.list({\n  limit: 3\n});'],
    ['/nowhere', null],
  ])('writes %s as a call of the SDK', async (path, call) => {
    const service = await createTestService();
    await service.get(path);
    expect(lastCode(service).sdk).toBe(call);
  });

  it('sends the same body when the code of an order is repeated', async () => {
    const service = await createTestService();
    await service.order({ ...fixtureOrder, nickname: `it's "me" \\` });
    const before = lastEntry(service);
    await runCode(`${clientCode(target)}\n${lastCode(service).sdk}`, {
      createTopupClient: (options: object) =>
        createTopupClient({ ...options, fetch: (request: Request) => service.app.fetch(request) }),
    });
    const again = lastEntry(service);
    expect(again.number).toBe(before.number + 1);
    expect(JSON.parse(again.request.body)).toEqual(JSON.parse(before.request.body));
  });

  it('writes no code for a cut body', async () => {
    const service = await createTestService();
    await service.order({ ...fixtureOrder, nickname: 'x'.repeat(20_000) });
    expect(lastCode(service)).toEqual({ curl: null, sdk: null, mockTest: null });
  });
});

it('writes a value as TypeScript that evaluates to an equal value', () => {
  const value = { a: `it's`, 'b-c': '"d": "e"', '1f': ['\\', '', 'é"\''], g: { h: null, i: 1.5 } };
  expect(new Function(`return ${literal(value)}`)()).toEqual(value);
  expect(literal({ a: 'b' })).toBe("{\n  a: 'b'\n}");
});

it('shows a request with a malformed path as the client sent it', async () => {
  const service = await createTestService();
  await service.app.fetch(new Request('http://localhost/api/games/%ff'));
  const { curl, sdk } = lastCode(service);
  expect(curl).toContain("'http://localhost/api/games/%ff'");
  expect(sdk).toEqual(expect.any(String));
});
