import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './helpers/folder.ts';
import { fixtureOrder } from './helpers/order.ts';
import { commands } from './helpers/reference.ts';
import { type Ran, type RunOptions, run } from './helpers/run.ts';
import { ownSandbox } from './helpers/servers.ts';
import { replaceAt, type Spoiling, spoil, startSpoilingService } from './helpers/spoiling-service.ts';

const sandbox = ownSandbox();
const folder = temporaryFolder();
let service: Awaited<ReturnType<typeof startSpoilingService>>;
let orderId: string;
beforeAll(async () => {
  service = await startSpoilingService(new URL(sandbox.baseUrl).origin);
  orderId = await sandbox.place();
  writeFileSync(join(folder.path, 'key'), sandbox.sandboxKey ?? '');
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const choice = ['--game', 'mobile-legends', '--product', '901', '--payment-method', '12'];

/** A command line of every command that shows what a service responds. `ORDER` is the id of an order. */
const commandLines: Record<string, string[]> = {
  'games-list': ['games', 'list'],
  'games-show': ['games', 'show', 'mobile-legends'],
  'games-check': ['games', 'check', 'mobile-legends', '--id', '12345678', '--server', '2012'],
  'checkout-show': ['checkout', 'show', 'mobile-legends'],
  'orders-create': [...fixtureOrder, '--another'],
  'orders-show': ['orders', 'show', 'ORDER'],
  'orders-watch': ['orders', 'watch', 'ORDER', '--timeout', '200ms'],
  'orders-mine': ['orders', 'mine', '--limit', '5'],
  'invoices-show': ['invoices', 'show', 'ORDER'],
  'invoices-status': ['invoices', 'status', 'ORDER'],
  'promos-validate': ['promos', 'validate', 'RAMADAN10', ...choice],
  listen: ['listen'],
  trigger: ['trigger', 'order.paid'],
  'sandbox-status': ['sandbox', 'status'],
  'sandbox-pay': ['sandbox', 'pay', 'ORDER'],
  'sandbox-fail': ['sandbox', 'fail', 'ORDER'],
  'sandbox-expire': ['sandbox', 'expire', 'ORDER'],
  'sandbox-pay-late': ['sandbox', 'pay-late', 'ORDER'],
  'sandbox-pay-wrong-amount': ['sandbox', 'pay-wrong-amount', 'ORDER'],
  'sandbox-pay-again': ['sandbox', 'pay-again', 'ORDER'],
  'sandbox-pay-unknown': ['sandbox', 'pay-unknown', 'ORDER'],
  'sandbox-deliver': ['sandbox', 'deliver', 'ORDER'],
  'sandbox-fail-delivery': ['sandbox', 'fail-delivery', 'ORDER'],
  'sandbox-lose-delivery': ['sandbox', 'lose-delivery', 'ORDER'],
  'sandbox-contradict-delivery': ['sandbox', 'contradict-delivery', 'ORDER'],
  'sandbox-refund': ['sandbox', 'refund', 'ORDER'],
  'sandbox-advance': ['sandbox', 'advance', '1s'],
  'sandbox-scenario': ['sandbox', 'scenario'],
  'sandbox-faults': ['sandbox', 'faults'],
  'sandbox-add-fault': ['sandbox', 'add-fault', '--error', 'UNAVAILABLE'],
  'sandbox-remove-fault': ['sandbox', 'remove-fault'],
  'sandbox-create-order': [
    ...['sandbox', 'create-order', '--id', '1', '--game', 'mobile-legends', '--product_id', '901'],
    ...['--payment_method_id', '12', '--whatsapp', '081234567890'],
  ],
  'sandbox-trigger': ['sandbox', 'trigger', '--event', 'order.paid'],
  'sandbox-play': ['sandbox', 'play', '--document', '{}'],
  'sandbox-snapshot': ['sandbox', 'snapshot'],
  'sandbox-restore': ['sandbox', 'restore', '--id', '1'],
  'sandbox-seed': ['sandbox', 'seed', '--document', '{}'],
  'sandbox-catalog': ['sandbox', 'catalog'],
  'sandbox-replace-catalog': ['sandbox', 'replace-catalog', '--document', '{}'],
  'sandbox-webhooks': ['sandbox', 'webhooks'],
  'sandbox-add-webhook': ['sandbox', 'add-webhook', '--url', 'http://127.0.0.1:9/hooks'],
  'sandbox-remove-webhooks': ['sandbox', 'remove-webhooks'],
  'sandbox-fault-webhook': ['sandbox', 'fault-webhook', '--fault', 'twice'],
  'sandbox-release-webhooks': ['sandbox', 'release-webhooks'],
  'sandbox-resend-webhook': ['sandbox', 'resend-webhook', '--id', 'evt_1'],
  'sandbox-settle-webhooks': ['sandbox', 'settle-webhooks'],
  'sandbox-requests': ['sandbox', 'requests'],
  'sandbox-requests of one': ['sandbox', 'requests', '1'],
  'sandbox-reset': ['sandbox', 'reset', '--yes'],
  login: ['login', '--key-file', 'KEY'],
  doctor: ['doctor'],
  'open-docs': ['open', 'docs', '--print'],
  'open-page': ['open', 'page', 'ORDER', '--print'],
};

/** Commands that take the address of a service and show no response of it. */
const showNone: Record<string, string> = {
  mcp: 'it serves tools to a program; its tools have tests of their own',
  conformance: 'it checks any response, and has tests of its own with services of many kinds',
  'config-get': 'it shows settings of this machine',
  'config-set': 'it changes settings of this machine',
  'config-unset': 'it changes settings of this machine',
  'config-list': 'it shows settings of this machine',
  'config-path': 'it shows settings of this machine',
};

const leaves = commands.filter(({ command }) => command.commands.length === 0);

it('tests every command that sends requests to a service', async () => {
  const contacting: string[] = [];
  for (const { name, path } of leaves)
    if ((await run([...path, '--help'])).stdout.includes('--base-url')) contacting.push(name);
  expect([...Object.keys(commandLines), ...Object.keys(showNone)].toSorted()).toEqual(
    expect.arrayContaining(contacting),
  );
});

const hostile = '\u001b]0;evil\u0007\u001b[31m\u202eevil\u009b2J\r\nError: \u0000';

/** Values of every kind that JSON has, and none. */
const instead = fc.constantFrom<unknown>(
  ...[undefined, null, '', '22000', 'Rp 22.000', 0, -1, 1.5, 1e300, 123, true, false, [], {}, [[]], [null]],
  ...[{ a: 1 }, [1, 'a'], hostile, { [hostile]: hostile }, '2026-13-45', 'x'.repeat(5_000)],
);
const spoilings: fc.Arbitrary<Spoiling[]> = fc.array(fc.record({ place: fc.nat(2_000), instead }), {
  minLength: 1,
  maxLength: 4,
});

/** Whatever a terminal could obey. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Bidi_Control}]/u;

/** Stops a command that goes on until it is stopped, as Ctrl+C does. */
function stopAfter(ms: number): AbortSignal {
  const stop = new AbortController();
  setTimeout(() => stop.abort('SIGINT'), ms);
  return stop.signal;
}

async function ask(args: string[], options: RunOptions = {}): Promise<Ran> {
  const words = args.map((word) =>
    word === 'ORDER' ? orderId : word === 'KEY' ? join(folder.path, 'key') : word,
  );
  const signal = words[0] === 'listen' ? stopAfter(60) : undefined;
  const environment = { HOME: folder.path, ...options.environment };
  return run([...words, '--base-url', service.baseUrl], {
    ...options,
    environment,
    ...(signal && { signal }),
  });
}

/** What has the code of another one, or takes long. */
const isOneOfMany = (name: string): boolean => /^(sandbox-|orders-watch|doctor|open-docs)/.test(name);

describe.each(Object.entries(commandLines))('%s', (name, args) => {
  it('prints any JSON without a crash and without control characters', { timeout: 120_000 }, async () => {
    service.change((body) => body);
    orderId = await sandbox.place();
    await fc.assert(
      fc.asyncProperty(
        spoilings,
        fc.constantFrom(undefined, undefined, undefined, 200, 404, 422, 500),
        fc.constantFrom([], ['--json'], ['--quiet']),
        fc.constantFrom(undefined, 80),
        async (changes, status, flags, columns) => {
          service.change((body) => spoil(body, changes), status);
          const { code, stdout, stderr } = await ask([...args, ...flags], { columns });
          expect(`${stdout}${stderr}`).not.toMatch(/Unexpected error|UNEXPECTED/);
          expect(controls.exec(`${stdout}${stderr}`)?.[0]).toBe(undefined);
          expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 130]).toContain(code);
        },
      ),
      { numRuns: isOneOfMany(name) ? 6 : 25 },
    );
  });
});

describe('orders create, when the order was placed but the response is invalid', () => {
  const lineOf = (text: string): string => text.split('\n')[0] ?? '';
  const idIn = (path: string): string | undefined =>
    /INV-\d+-[A-Z]{8}/.exec(JSON.stringify(service.sent.get(path) ?? ''))?.[0];
  const placed = async (change: (body: unknown) => unknown, ...flags: string[]): Promise<Ran> => {
    service.change((body, path) => (path === 'POST /api/order' ? change(body) : body));
    return ask([...fixtureOrder, '--another', ...flags]);
  };
  const at =
    (path: string, value: unknown) =>
    (body: unknown): unknown =>
      replaceAt(body, path.split('.'), value);

  it.each([
    ['text', at('data.total_price', '40000'), 'data.total_price is "40000" instead of a number'],
    ['a list instead of an object', at('data.pricing', []), 'data.pricing is [] instead of an object'],
    ['null', at('data.pricing.payment_fee', null), 'data.pricing.payment_fee is null instead of a number'],
    ['nothing', at('data.payment_url', undefined), 'data.payment_url is missing instead of a text'],
    ['only ids', at('data', null), 'data is null instead of an object'],
  ])(
    'prints the order id first, and names the invalid parts of the response: %s',
    async (_kind, change, departure) => {
      const { code, stdout, stderr } = await placed(change);
      expect([code, lineOf(stdout)]).toEqual([0, `  Order     ${idIn('POST /api/order')}`]);
      expect(stderr.replaceAll('\n', ' ')).toContain(departure);
    },
  );

  it('shows amounts in texts as amounts, and leaves other texts unchanged', async () => {
    const { stdout } = await placed((body) =>
      at('data.pricing.payment_fee', 'free')(at('data.pricing.total_price', '40000')(body)),
    );
    expect(stdout).toMatch(/Total +Rp 40,000/);
    expect(stdout).toMatch(/Fee of QRIS +free/);
  });

  it("prints the service's response for programs, with the order id if the response contains it", async () => {
    const { code, stdout } = await placed(at('data.pricing', [{ a: '1' }]), '--json');
    const document = JSON.parse(stdout);
    expect([code, document.data.pricing]).toEqual([0, [{ a: '1' }]]);
    const other = await placed(at('orderId', undefined), '--quiet');
    expect([other.code, other.stdout.trim()]).toEqual([0, idIn('POST /api/order')]);
  });

  it('warns that the order may have been placed if the response has no id', async () => {
    const { code, stderr } = await placed((body) => at('data.order_id', '')(at('orderId', null)(body)));
    expect([code, stderr]).toEqual([
      8,
      expect.stringContaining('It is unknown whether the order was placed'),
    ]);
  });
});
