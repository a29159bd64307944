import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createKeyText, type RunningServer, readConfig, secureRandom, startServer } from '@topup-kit/server';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { freePort } from '../../test/free-port.ts';
import {
  answer,
  breakOff,
  type Fault,
  type FaultyService,
  halfOf,
  page,
  serviceError,
  startFaultyService,
} from './faulty-service.ts';
import { testReceiver } from './receiver.ts';
import { type Program, type Shop, type ShopLanguage, setUpShop } from './shops.ts';
import { tableRows } from './table.ts';

const order = await readFile(new URL('order.json', import.meta.url), 'utf8');

/** Result of a program. */
interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

const placed = '{"success": true, "orderId": "INV-20260329093000-ABCDEFGH"';

/** Responses for each row of the table, by its first cell. */
const responses: Record<string, Fault[]> = {
  '`201` with an `orderId`': [answer(201, JSON.parse(`${placed}}`))],
  '`409 IDEMPOTENCY_KEY_USED`': [
    serviceError(409, 'IDEMPOTENCY_KEY_USED', { orderId: 'INV-20260329093000-ABCDEFGH' }),
  ],
  '`429`, `503`': [serviceError(429, 'RATE_LIMITED'), serviceError(503, 'UNAVAILABLE'), answer(503, page)],
  '`500 PAYMENT_FAILED`, `500 SAVE_FAILED`': [
    serviceError(500, 'PAYMENT_FAILED'),
    serviceError(500, 'SAVE_FAILED'),
  ],
  '`409 IDEMPOTENCY_IN_FLIGHT`': [serviceError(409, 'IDEMPOTENCY_IN_FLIGHT')],
  '`302`, `303`, `408`, any other `5xx`': [
    answer(302, '', { Location: '/login' }),
    answer(303, '', { Location: '/login' }),
    answer(408, page),
    serviceError(500, 'SERVER_ERROR'),
    // Another service may use this code with another meaning, because the response doesn't contain the key.
    answer(500, { success: false, message: 'No.' }, { 'X-Error-Code': 'PAYMENT_FAILED' }),
    answer(502, page),
    answer(504, page),
  ],
  '`2xx` with an empty body, half a body or an HTML page': [
    answer(201),
    halfOf(201, placed),
    answer(201, placed),
    answer(200, page),
    answer(201, []),
    answer(201, { success: true }),
    answer(201, { success: false, orderId: 'INV-20260329093000-ABCDEFGH' }),
  ],
  'no response: connection refused or lost, time-out': [breakOff],
  '`2xx` with `"success": false` and no `orderId`': [answer(200, { success: false, message: 'No.' })],
  'any other `3xx` or `4xx`, such as `301`, `401`, `404`, `422`': [
    answer(301, '', { Location: 'https://shop.example/api/order' }),
    answer(308, '', { Location: 'https://shop.example/api/order' }),
    serviceError(401, 'UNAUTHORIZED'),
    answer(403, page),
    serviceError(404, 'GAME_NOT_FOUND'),
    serviceError(422, 'VALIDATION_ERROR'),
    serviceError(409, 'IDEMPOTENCY_CONFLICT'),
    answer(413, page),
  ],
};

function responsesOf(row: string): Fault[] {
  const faults = responses[row];
  if (faults === undefined) throw new Error(`The table has a row that no test knows: ${row}`);
  return faults;
}

/** Requests that follow each next step, and the exit code. */
const steps: Record<string, { requests: FaultyService['requests'][number]['kind'][]; code: number }> = {
  done: { requests: ['order'], code: 0 },
  again: { requests: ['order', 'order'], code: 0 },
  'look up': { requests: ['order', 'look-up', 'order'], code: 0 },
  stop: { requests: ['order'], code: 1 },
};

/**
 * Runs the programs on a language's page. If the language can't be run, the tests are skipped and say why.
 *
 * @param each number of responses that are tried for each row of the table
 */
export function describeShop(
  language: ShopLanguage,
  { runtime, needs, each }: { runtime: Program | undefined; needs: string; each: number },
): void {
  describe.skipIf(runtime === undefined)(
    `a shop in ${language.name}${runtime === undefined ? ` (needs ${needs})` : ''}`,
    () => {
      let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
      let server: RunningServer;
      let shop: Shop;
      beforeAll(async () => {
        if (runtime === undefined) return;
        folder = await mkdtempDisposable(join(tmpdir(), 'topup-shop-'));
        const settings = {
          PORT: '0',
          TOPUP_MODE: 'sandbox',
          TOPUP_STORE: 'memory:',
          TOPUP_LOG_LEVEL: 'silent',
        };
        [server, shop] = await Promise.all([
          startServer(readConfig(settings)),
          setUpShop(language, runtime, folder.path),
        ]);
      }, 240_000);
      afterAll(async () => {
        await server?.close();
        await folder?.remove();
      });

      it.each(['', '/'])(
        'passes all tests of the shop against a sandbox at a base URL that ends with "api%s"',
        async (end) => {
          const { file, given } = shop.test;
          const env = { ...process.env, TOPUP_BASE_URL: `${server.baseUrl}${end}` };
          const { stdout, stderr } = await promisify(execFile)(file, given, { env, cwd: folder.path });
          // Python's test runner writes its report to stderr.
          expect(`${stdout}${stderr}`.match(/^ok: |^--- PASS: |^Ran 6 tests/gm)).toHaveLength(
            language.name === 'Python' ? 1 : 6,
          );
        },
      );

      // Programs wait a second before they try again, so several tests wait at the same time, each in the world of its own key.
      describe.concurrent('an order', () => {
        /** Starts a customer with a separate key and folder, and the service that the customer's program calls. */
        async function begin({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
          const service = await startFaultyService(server.baseUrl);
          onTestFinished(() => service[Symbol.asyncDispose]());
          const apiKey = createKeyText('test', secureRandom);
          const desk = join(folder.path, apiKey);
          await mkdir(desk);

          function start(baseUrl = service.baseUrl): { child: ChildProcess; ended: Promise<Outcome> } {
            const { file, given } = shop.place;
            const env = { ...process.env, TOPUP_BASE_URL: baseUrl, TOPUP_API_KEY: apiKey };
            const child = spawn(file, [...given, 'cart-17'], { cwd: desk, env });
            onTestFinished(() => void child.kill('SIGKILL'));
            child.stdin.end(order);
            const outcome: Outcome = { code: null, stdout: '', stderr: '' };
            child.stdout.on('data', (data) => (outcome.stdout += data));
            child.stderr.on('data', (data) => (outcome.stderr += data));
            const ended = new Promise<Outcome>((resolve) => {
              child.on('close', (code) => resolve({ ...outcome, code }));
            });
            return { child, ended };
          }

          /** Returns the ids of the orders that the service has. */
          async function orders(): Promise<string[]> {
            const response = await fetch(`${server.baseUrl}/orders`, { headers: { 'X-API-KEY': apiKey } });
            const { data } = await response.json();
            return data.map(({ order_id }: { order_id: string }) => order_id);
          }
          const place = (): Promise<Outcome> => start().ended;
          const kinds = () => service.requests.map(({ kind }) => kind);
          return { service, apiKey, desk, start, place, kinds, orders };
        }

        /** Expects the program's messages, each on one line, without a stack trace. */
        const expectWords = ({ stderr }: Outcome): void => {
          expect(stderr).not.toMatch(
            /Traceback|Stack trace|goroutine|Warning|Deprecated|JSON(Decode)?(Error|Exception)/,
          );
        };

        it.for(
          tableRows.flatMap(({ response, step }) =>
            responsesOf(response)
              .slice(0, each)
              .map((fault, index) => ({ response, step, fault, index })),
          ),
        )('that gets $response ($index) is followed by: $step', async ({ fault, step }, context) => {
          const { service, desk, place, kinds } = await begin(context);
          service.orders.push(fault);
          const outcome = await place();
          const { requests, code } = steps[step] ?? {};
          expect({ ...outcome, requests: kinds() }).toMatchObject({ code, requests });
          expectWords(outcome);
          expect(new Set(service.requests.map(({ key }) => key)).size).toBe(1);
          if (step === 'stop') expect(await readdir(join(desk, 'orders'))).toEqual([]);
          else expect(outcome.stdout).toMatch(/^INV-\d{14}-[A-Z]{8}\n$/);
        });

        it.for([
          [{ connection: 'cut' }, ['createOrder', 'listOrders', 'createOrder']],
          [{ connection: 'cut-after' }, ['createOrder', 'listOrders']],
          [{ connection: 'half-body' }, ['createOrder', 'listOrders']],
          [{ connection: 'html' }, ['createOrder', 'listOrders']],
          [{ error: 'IDEMPOTENCY_IN_FLIGHT' }, ['createOrder', 'listOrders', 'createOrder']],
          [{ error: 'SERVER_ERROR' }, ['createOrder', 'listOrders', 'createOrder']],
          [{ error: 'SAVE_FAILED' }, ['createOrder', 'createOrder']],
        ] as const)(
          'is placed once although the sandbox has the fault %o',
          async ([fault, expected], context) => {
            const { apiKey, start, orders } = await begin(context);
            const sandbox = `${server.publicUrl}/sandbox`;
            const headers = { 'X-API-KEY': apiKey, 'Content-Type': 'application/json' };
            const body = JSON.stringify({ ...fault, operation: 'createOrder', times: 1 });
            const added = await fetch(`${sandbox}/add-fault`, { method: 'POST', headers, body });
            expect(added.status).toBe(200);
            const outcome = await start(server.baseUrl).ended;
            const { data } = await (await fetch(`${sandbox}/requests`, { headers })).json();
            const operations = data.requests
              .map(({ operation }: { operation: string }) => operation)
              .reverse();
            expect(operations).toEqual(expected);
            expect(outcome).toMatchObject({ code: 0, stdout: `${(await orders()).join()}\n` });
          },
        );

        it.for([true, false])(
          'is placed once by a program that is killed, whether or not it arrived (%s)',
          async (arrived, context) => {
            const { service, start, place, kinds, orders } = await begin(context);
            const { child, ended } = start();
            service.orders.push(async (_response, forward) => {
              if (arrived) await forward();
              child.kill('SIGKILL');
            });
            expect((await ended).code).toBe(null);
            const outcome = await place();
            expect(outcome).toMatchObject({ code: 0, stdout: `${(await orders()).join()}\n` });
            expect(kinds()).toEqual(['order', 'look-up', ...(arrived ? [] : ['order'])]);
            expect(new Set(service.requests.map(({ key }) => key)).size).toBe(1);
          },
        );

        it('is placed once by two simultaneous programs', async (context) => {
          const { place, orders } = await begin(context);
          const outcomes = await Promise.all([place(), place()]);
          const [id] = await orders();
          expect(outcomes).toMatchObject([{ stdout: `${id}\n` }, { stdout: `${id}\n` }]);
          expect(await orders()).toHaveLength(1);
        });

        it('is not sent again after it was placed', async (context) => {
          const { place, kinds } = await begin(context);
          const first = await place();
          expect(await place()).toEqual(first);
          expect(kinds()).toEqual(['order']);
        });

        it.for<[string, Fault]>([
          ['has no look-up', serviceError(404, 'ROUTE_NOT_FOUND')],
          ['shows a page instead', answer(502, page)],
          ['lists other orders', answer(200, { success: true, data: [{ order_id: 'INV-1-OTHERONE' }] })],
        ])(
          'is never sent again after an unknown outcome to a service that %s',
          async ([, lookUp], context) => {
            const { service, place, kinds } = await begin(context);
            service.orders.push(breakOff);
            service.lookUps = lookUp;
            for (const requests of [
              ['order', 'look-up'],
              ['order', 'look-up', 'look-up'],
            ]) {
              const outcome = await place();
              expect({ ...outcome, requests: kinds() }).toMatchObject({ code: 75, stdout: '', requests });
              expectWords(outcome);
            }
          },
        );

        it("stays pending after an unknown outcome when the shop's key is rejected", async (context) => {
          const { service, place, orders } = await begin(context);
          service.orders.push(breakOff, serviceError(401, 'UNAUTHORIZED'));
          expect(await place()).toMatchObject({ code: 75 });
          expect(await place()).toMatchObject({ code: 0, stdout: `${(await orders()).join()}\n` });
          expect(new Set(service.requests.map(({ key }) => key)).size).toBe(1);
        });

        it('is left to a later run when the service asks for a long wait', async (context) => {
          const { service, place, kinds } = await begin(context);
          service.orders.push(answer(503, page, { 'Retry-After': '3600' }));
          expect(await place()).toMatchObject({ code: 75 });
          expect(kinds()).toEqual(['order']);
          const date = new Date(Date.now() + 3_600_000).toUTCString();
          service.orders.push(answer(429, page, { 'Retry-After': date }));
          expect(await place()).toMatchObject({ code: 75 });
          expect(kinds()).toEqual(['order', 'look-up', 'order']);
        });

        it('sends no API key to the target of a redirect', async (context) => {
          const { service, place } = await begin(context);
          let visits = 0;
          const other = createServer((_request, response) => {
            visits += 1;
            response.end();
          });
          const port = await freePort();
          other.listen(port, '127.0.0.1');
          context.onTestFinished(() => void other.close());
          service.orders.push(answer(307, '', { Location: `http://127.0.0.1:${port}/order` }));
          const { code, stderr } = await place();
          expect({ code, visits }).toEqual({ code: 1, visits: 0 });
          expect(stderr).toContain(`http://127.0.0.1:${port}/order`);
        });
      });

      describe('its receiver of webhooks', () => {
        testReceiver(() => ({ shop, folder: folder.path, server }));
      });
    },
  );
}
