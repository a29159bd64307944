import { join } from 'node:path';
import type { Store } from '@topup-kit/core/store';
import { type RunningServer, readConfig, startServer } from '@topup-kit/server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hurriedClock } from '../../../test/hurry.ts';
import { another, reserve } from '../../suites/src/store/fixtures.ts';
import { inTodaysNames } from '../src/earlier-names.ts';
import { fakeTerminal } from './helpers/fake-terminal.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { fixtureOrder, steady } from './helpers/order.ts';
import { edit, inStore } from './helpers/own-store.ts';
import { run, start, until } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

const folder = temporaryFolder();
const path = join(folder.path, 'topup.db');
let server: RunningServer;
/** Orders: delivered; paid, with a failed second item; expired; unpaid. */
let delivered: string;
let failed: string;
let expired: string;
let unpaid: string;

const asked = (...args: string[]) => run([...args, '--base-url', server.baseUrl]);
/** With the names of today: earlier ones are a remark on stderr. */
const ofToday = (...args: string[]): string[] => [...inTodaysNames(args)];
const onStore = (args: string[], columns = 80) =>
  run(ofToday('orders', ...args), { columns, environment: { TOPUP_STORE: `file:${path}` } });
let copies = 0;
const copy = (): string => join(folder.path, `copy-${copies}.db`);
/** Runs a command on the copy of the store that each test of some groups has, on which no server runs. */
const onCopy = (args: string[]) =>
  run(ofToday('orders', ...args), { columns: 80, environment: { TOPUP_STORE: `file:${copy()}` } });
async function makeCopy(): Promise<void> {
  copies += 1;
  await run(['backup', copy(), '--store', `file:${path}`]);
}
/** Runs a command on the copy, at a terminal, and does something before its question is answered with yes. */
async function confirmAfter(args: string[], act: (store: Store) => Promise<unknown>) {
  const terminal = fakeTerminal();
  const { code, written } = start(ofToday('orders', ...args), {
    ...{ terminal, environment: { TOPUP_STORE: `file:${copy()}` } },
  });
  await until(() => terminal.shown().includes('Go on?'));
  await inStore(copy(), act);
  await terminal.answer('Go on?', 'y');
  return { code: await code, ...written };
}

const plain = (text: string): string =>
  steady(text)
    .replaceAll(path, '<path>')
    .replaceAll(/SIM\w+/g, '<reference>');

async function place(...more: string[]): Promise<string> {
  return JSON.parse((await asked(...fixtureOrder, ...more, '--json')).stdout).orderId;
}

async function stateOf(orderId: string): Promise<string> {
  const { stdout } = await onStore(['show', orderId, '--history', '--json']);
  const { payment_status, buy_status } = JSON.parse(stdout);
  return `${payment_status} / ${buy_status}`;
}

beforeAll(async () => {
  server = await startSandbox(`file:${path}`, { realClock: hurriedClock() });
  delivered = await place();
  failed = await place('--id', '900000002', '--quantity', '3');
  expired = await place();
  for (const paid of [delivered, failed]) await asked('sandbox', 'pay', paid);
  await asked('sandbox', 'advance', '1m');
  await asked('sandbox', 'expire', expired);
  unpaid = await place();
});
afterAll(async () => {
  await server.close();
  folder[Symbol.dispose]();
});

const listed = async (...args: string[]): Promise<string[]> => {
  const { stdout } = await onStore(['list', ...args, '--json']);
  return JSON.parse(stdout).orders.map((order: { order_id: string }) => order.order_id);
};

describe('a store of another currency and time zone', () => {
  it("shows a store's currency and time zone as its server does, unless the environment overrides them", async () => {
    const folder = temporaryFolder();
    const store = `file:${join(folder.path, 'shop.db')}`;
    const settings = {
      TOPUP_CURRENCY: 'MYR',
      TOPUP_TIMEZONE: 'Europe/London',
      TOPUP_STORE: store,
      PORT: '0',
    };
    const server = await startServer(readConfig({ TOPUP_MODE: 'sandbox', ...settings }));
    await run(fixtureOrder, { environment: { TOPUP_BASE_URL: server.baseUrl } });
    await server.close();
    const list = async (environment: Record<string, string> = {}) =>
      (await run(['orders', 'list', '--store', store], { environment, columns: 120 })).stdout;

    expect(await list()).toMatch(/RM\s400\.00/);
    expect(await list()).toMatch(/\((GMT|GMT\+1|BST)\)/);
    expect(await list({ TOPUP_CURRENCY: 'SGD', TOPUP_TIMEZONE: 'Asia/Singapore' })).toMatch(/GMT\+8/);
    folder[Symbol.dispose]();
  });
});

/** A store of a sandbox that has ended, with an order whose only item has an unknown outcome. */
async function withUnknown(name: string, more = `reason = 'it gave no outcome'`) {
  const file = join(folder.path, name);
  const sandbox = await startSandbox(`file:${file}`);
  const on = ['--base-url', sandbox.baseUrl];
  const placed = await run([...fixtureOrder, '--quantity', '1', ...on, '--json']);
  const { orderId }: { orderId: string } = JSON.parse(placed.stdout);
  await run(['sandbox', 'pay', orderId, ...on]);
  await sandbox.close();
  edit(file, `UPDATE units SET state = 'unknown', next_at = NULL, ${more}`);
  return { orderId, store: `file:${file}` };
}

describe('orders list', () => {
  it('lists the newest order first, in 80 columns', async () => {
    const { code, stdout } = await onStore(['list']);

    expect(code).toBe(0);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(steady(stdout).replaceAll(/\d\d \w{3}, \d\d:\d\d/g, '<time>')).toMatchInlineSnapshot(`
      "ORDER                        PAYMENT  DELIVERY  TIME (GMT+7)   PRODUCT
      <order id>  UNPAID   Pending   <time>  86 Diamond × 2 ·…
      <order id>  EXPIRED  Batal     <time>  86 Diamond × 2 ·…
      <order id>  PAID     Gagal     <time>  86 Diamond × 3 ·…
      <order id>  PAID     Sukses    <time>  86 Diamond × 2 ·…
      "
    `);
    expect((await listed())[0]).toBe(unpaid);
  });

  it('fits orders list into 60 columns', async () => {
    const { stdout } = await onStore(['list'], 60);

    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(stdout).toContain(unpaid);
  });

  it('shows order times in 120 columns', async () => {
    const { stdout } = await onStore(['list'], 120);

    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(plain(stdout)).toMatchInlineSnapshot(`
      "ORDER                        PAYMENT  DELIVERY      TOTAL  CREATED (GMT+7)        CUSTOMER      PRODUCT
      <order id>  UNPAID   Pending   Rp 40,000  <second>  081234567890  86 Diamond × 2 · Mobile…
      <order id>  EXPIRED  Batal     Rp 40,000  <second>  081234567890  86 Diamond × 2 · Mobile…
      <order id>  PAID     Gagal     Rp 60,000  <second>  081234567890  86 Diamond × 3 · Mobile…
      <order id>  PAID     Sukses    Rp 40,000  <second>  081234567890  86 Diamond × 2 · Mobile…
      "
    `);
  });

  it('filters the list of orders', async () => {
    expect(await listed('--payment-status', 'PAID', '--buy-status', 'Gagal')).toEqual([failed]);
    expect(await listed('--payment-status', 'UNPAID')).toEqual([unpaid]);
    expect(await listed('--account', 'sandbox')).toHaveLength(4);
    expect(await listed('--account', 'nobody')).toEqual([]);
    expect(await listed('--game', 'mobile-legends')).toHaveLength(4);
    expect(await listed('--game', 'free-fire')).toEqual([]);
    for (const phone of ['081234567890', '+62 812-3456-7890', '0062 812 3456 7890'])
      expect(await listed('--phone', phone, '--payment-status', 'UNPAID')).toEqual([unpaid]);
    expect(await listed('--phone', '+65 8123 4567')).toEqual([]);
  });

  it('prints the command for the next page with the same filters', async () => {
    const { stdout, stderr } = await onStore(['list', '--limit', '2', '--account', 'sandbox', '--json']);
    const { orders, next_after } = JSON.parse(stdout);
    const rest = await listed('--limit', '2', '--account', 'sandbox', '--after', next_after);

    expect({ stderr, page: orders.length, rest: rest.length }).toEqual({ stderr: '', page: 2, rest: 2 });
    expect(next_after).toBe(orders[1].order_id);
    expect(rest).not.toContain(next_after);
    expect((await onStore(['list', '--limit', '2', '--account', 'sandbox'])).stderr).toContain(
      `topup orders list --account sandbox --limit 2 --cursor ${next_after}`,
    );
  });

  it('prints no command after the last page', async () => {
    expect(JSON.parse((await onStore(['list', '--limit', '4', '--json'])).stdout).next_after).toBeNull();
  });

  it.each([
    [['--game', 'chess'], 3, 'There is no game chess'],
    [['--after', 'INV-1'], 3, 'There is no order INV-1'],
    [['--phone', 'nobody'], 2, '--phone takes a phone number, not "nobody".'],
    [['--limit', '0'], 2, '--limit must be'],
    [['--payment-status', 'paid'], 2, 'Allowed choices are UNPAID'],
    [['--base-url', 'http://shop.test'], 2, 'orders list contacts no service'],
  ])('exits for orders list %j with %i', async (args, code, message) => {
    expect(await onStore(['list', ...args])).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  it('says when there are no orders', async () => {
    expect(await onStore(['list', '--account', 'nobody'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `No matching orders in ${path}.\n`,
    });
  });
});

describe('orders show --history', () => {
  it('shows the history with operators, and each unit, in 80 columns', async () => {
    const { code, stdout } = await onStore(['show', failed, '--history']);

    expect(code).toBe(0);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(plain(stdout)).toMatchInlineSnapshot(`
      "  Order     <order id>
        Payment   PAID
        Delivery  Gagal
        Placed    <time> (account sandbox)

        Game      Mobile Legends: Bang Bang
        Product   86 Diamond
        Account   900000002 (server 2012)
        Contact   081234567890

        Price            Rp 22,000  × 3  Rp 66,000
        Promo RAMADAN10  -Rp 2,000  × 3  -Rp 6,000
        After promo      Rp 20,000  × 3  Rp 60,000
        Fee of QRIS                           Rp 0
        Total                            Rp 60,000

        Method    QRIS

      WHEN (GMT+7)           EVENT        BY        PAYMENT / DELIVERY
      <second>  placed       customer  UNPAID / Pending
      <second>  paid         sandbox   PAID / Proses
      <second>  undelivered  supplier  PAID / Gagal

      ITEM  STATE      TRY  PROOF OR REASON
         1  delivered    1  SN-<order id>-1-1
         2  failed       1  the product is out of stock
         3  delivered    1  SN-<order id>-3-1

        Turnover      Rp 60,000
        Returned      Rp 20,000
        Gateway fees  Rp 0
        Cost          Rp 0
        Cost unknown  of 2 items
        Profit        Rp 40,000
      "
    `);
  });

  it('explains that a unit with an unknown outcome is not bought again, and how to find it', async () => {
    const { orderId, store } = await withUnknown(
      'unknown.db',
      `supplier = 'depot', find_by = 'reference', supplier_id = 'T-7', reason = 'it gave no outcome'`,
    );

    const show = async () => (await run(['orders', 'show', orderId, '--store', store])).stdout;

    expect(steady(await show())).toContain(' 1  unknown    1  it gave no outcome');
    expect((await show()).replaceAll('\n', ' ')).toContain(
      `so it is not bought again. Look at depot for its own id T-7, or our reference ${orderId}-1-1. `,
    );
    expect(await show()).not.toContain('callbacks list');
  });

  it("explains how to find a unit at a supplier that doesn't store the kit's reference", async () => {
    const { orderId, store } = await withUnknown(
      'unknown-id.db',
      `supplier = 'depot', find_by = 'supplierId', supplier_id = NULL,
      asked_at = ${Date.UTC(2026, 2, 29, 2, 30)}, reason = 'it gave no id'`,
    );

    const { stdout } = await run(['orders', 'show', orderId, '--store', store]);

    // The sandbox's product has no code of the supplier, and its zone is GMT+7.
    expect(stdout.replaceAll('\n', ' ')).toMatch(
      /Look at depot for ML86 to 12345678 \(2012\) at about 29 Mar 2026, 09:30:00\. The callbacks that match no order may/,
    );
    expect(stdout).toContain('topup callbacks list --outcome unmatched --store');
    expect(stdout).not.toContain(`${orderId}-1-1`);
  });

  it('shows why the last look-up at the supplier failed until a look-up succeeds', async () => {
    const other = join(folder.path, 'down.db');
    await using sandbox = await startSandbox(`file:${other}`);
    const on = ['--base-url', sandbox.baseUrl];
    const { orderId } = JSON.parse((await run([...fixtureOrder, ...on, '--json'])).stdout);
    await run(['sandbox', 'scenario', 'supplier-down', ...on]);
    await run(['sandbox', 'pay', orderId, ...on]);
    const show = () => run(['orders', 'show', orderId, '--store', `file:${other}`]);
    expect((await show()).stdout).toMatch(/ 1 +asked +1 +scenario supplier-down /);
    expect((await show()).stdout.replaceAll('\n', ' ')).toContain(
      `Item 1 was submitted to simulated, product ML86, and has no outcome yet. In the supplier's dashboard, look for our reference ${orderId}-1-1. `,
    );
    const shown = await run(['orders', 'show', orderId, '--store', `file:${other}`, '--json']);
    expect(JSON.parse(shown.stdout).units[0]).toMatchObject({
      ...{ state: 'asked', supplier: 'simulated', supplier_id: null, find_by: 'reference' },
      ...{ product_code: 'ML86', reference: `${orderId}-1-1` },
    });
    await run(['sandbox', 'scenario', 'none', ...on]);
    await run(['sandbox', 'advance', '1m', ...on]);
    expect((await show()).stdout).toMatch(/ 1 +delivered +1 +SN-/);
  });

  it('shows the contradictory reports about a unit', async () => {
    const orderId = await place();
    for (const action of ['pay', 'deliver', 'contradict-delivery']) await asked('sandbox', action, orderId);
    const { stdout } = await onStore(['show', orderId, '--history']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Item 1 is delivered, but: The supplier reported attempt 1 as failed (the sandbox was asked to contradict it) after it had been delivered.',
    );
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    await onStore(['mark', orderId, '--delivered', '--note', 'the player has it', '--yes']);
    expect((await onStore(['show', orderId, '--history'])).stdout).not.toContain('but:');
  });

  it('reads the store in --store even without --history', async () => {
    const { stdout } = await run(['orders', 'show', failed, '--store', `file:${path}`, '--json']);

    expect(JSON.parse(stdout)).toMatchObject({
      account_id: 'sandbox',
      history: [
        {
          event: 'paid',
          by: 'sandbox',
          from: { payment_status: 'UNPAID', buy_status: 'Pending' },
          to: { payment_status: 'PAID', buy_status: 'Proses' },
        },
        { event: 'undelivered', by: 'supplier' },
      ],
      units: [{ state: 'delivered' }, { state: 'failed', attempt: 1 }, { state: 'delivered' }],
    });
  });

  it('shows the history without a request to a service', async () => {
    expect(await asked('orders', 'show', failed, '--history')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--base-url'),
    });
  });

  it('exits with 3 if the order is not found', async () => {
    expect(await onStore(['show', 'INV-1', '--history'])).toMatchObject({ code: 3, stdout: '' });
  });
});

describe('orders refund and retry', () => {
  it.each([
    ['refund --note bank', 'refunded', 'EXPIRED / Batal', () => expired],
    ['retry', 'retried', 'EXPIRED / Batal', () => expired],
  ])(
    "exits with 6 for %s if an order can't be %s, and shows its state and the required state",
    async (verb, done, state, order) => {
      const { code, stdout, stderr } = await onStore([...verb.split(' '), order()]);

      expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
      expect(steady(stderr)).toBe(
        `Error: <order id> can't be ${done}: it is ${state}.\n` +
          `The order must be PAID / Gagal or PAID / Proses${done === 'refunded' ? ' or PAID / Sukses' : ''}. To see its history:\n` +
          '  topup orders show <order id> --history\n' +
          (done === 'refunded'
            ? 'Another refund of an order that is REFUND / Gagal needs --amount or --all.\n'
            : ''),
      );
    },
  );

  it('exits with 3 if the order to refund or retry is not found', async () => {
    expect(await onStore(['refund', 'INV-1', '--note', 'bank'])).toMatchObject({ code: 3 });
  });

  it.each([
    [
      'refund --note bank',
      'REFUND / Gagal',
      `
  Paid            Rp 60,000
  Delivered       items 1, 3
  Not delivered   item 2
  Refund          Rp 20,000
  To pay by hand  Rp 20,000
`,
    ],
    ['retry', 'PAID / Proses', ''],
  ])('describes %s with --dry-run, and leaves the order unchanged', async (verb, state, facts) => {
    const { code, stdout, stderr } = await onStore([...verb.split(' '), failed, '--dry-run']);

    expect({ code, stdout: steady(stdout), stderr }).toEqual({
      code: 0,
      stdout: `<order id> would be ${state}.\n${facts}`,
      stderr: 'Nothing was changed: this was a dry run.\n',
    });
    expect(await stateOf(failed)).toBe('PAID / Gagal');
  });

  it.each([
    [
      'refund --note bank',
      '<order id>: 2 of its 3 items were delivered (1, 3), and 1 was not (2). Rp 20,000 of the Rp 60,000 that was paid will be recorded as refunded, and the rest of the order can no longer be delivered.',
    ],
    [
      'retry',
      'The missing items of <order id> will be bought from the supplier again, and waiting items are tried now.',
    ],
  ])('requires a confirmation for %s', async (verb, consequence) => {
    const { code, stderr } = await onStore([...verb.split(' '), failed]);

    expect({ code, stderr: steady(stderr) }).toEqual({
      code: 2,
      stderr: `Error: This needs --yes: ${consequence}\nNothing was done.\n`,
    });
    expect(await stateOf(failed)).toBe('PAID / Gagal');
  });

  it.each([
    [[], "--note is missing: say why or how, such as --note 'no such player'."],
    [['--note', ' '], '--note needs a text.'],
  ])('rejects a refund without a note: %j', async (args, message) => {
    const { code, stderr } = await onStore(['refund', failed, ...args, '--yes']);
    expect({ code, says: stderr.includes(message), stderr }).toMatchObject({ code: 2, says: true });
    expect(await stateOf(failed)).toBe('PAID / Gagal');
  });

  it('rejects in a dry run every change that would be rejected without it', async () => {
    const { code, stderr } = await onStore(['refund', delivered, '--note', 'bank', '--dry-run']);

    expect(code).toBe(6);
    expect(steady(stderr)).toContain('Error: <order id> was not changed. Everything was delivered');
  });

  it('retries a failed order, which the running server delivers', async () => {
    const orderId = await place('--id', '900000001');
    await asked('sandbox', 'pay', orderId);
    await asked('sandbox', 'advance', '1m');

    const { code, stdout, stderr } = await onStore(['retry', orderId, '--yes']);
    expect({ code, said: steady(stdout) }).toEqual({ code: 0, said: '<order id> is PAID / Proses.\n' });
    expect(stderr).toContain('The running server delivers the missing items.');

    await until(async () => (await stateOf(orderId)) === 'PAID / Sukses', 8_000);
    const shown = await onStore(['show', orderId, '--history']);
    expect(shown.stdout.replaceAll('\n', ' ')).toMatch(
      new RegExp(
        `Item \\d, try 1 of .* \\(our reference ${orderId}-\\d-1\\) failed at simulated: the product is out of stock`,
      ),
    );
    const { history } = JSON.parse((await onStore(['show', orderId, '--history', '--json'])).stdout);
    expect(history.find(({ event }: { event: string }) => event === 'retried').attempts).toMatchObject(
      Array(2).fill({ attempt: 1, supplier: 'simulated', reason: 'the product is out of stock' }),
    );
  }, 15_000);

  it('warns that nothing is delivered while no server runs', async () => {
    await makeCopy();

    const { code, stderr } = await onCopy(['retry', failed, '--yes']);

    expect(code).toBe(0);
    expect(stderr).toContain('No server runs on this store: nothing is delivered until you start one.');
    expect(stderr).not.toContain('The running server');
  });

  it("records a refund at the world clock's time, which the service shows", async () => {
    const orderId = await place('--id', '900000001');
    await asked('sandbox', 'pay', orderId);
    await asked('sandbox', 'advance', '1m');

    const { stdout, stderr } = await onStore(['refund', orderId, '--note', 'BCA 7 April', '--yes']);

    expect(steady(stdout)).toContain('<order id> is REFUND / Gagal.\n');
    expect(stderr).toContain('Rp 40,000 back to the customer yourself');
    expect((await asked('orders', 'show', orderId)).stdout).toContain('REFUND');
    const { history } = JSON.parse((await onStore(['show', orderId, '--history', '--json'])).stdout);
    expect(history.at(-1)).toMatchObject({ event: 'refunded', by: 'operator', note: 'BCA 7 April' });
    expect(Date.parse(history.at(-1).at)).toBeGreaterThan(Date.now() + 60_000);
  });
});

describe('orders mark', () => {
  const seen = ['--note', 'seen in its records'];

  it('marks an unknown delivery as delivered, and stores the note and the proof in the history', async () => {
    const { orderId, store } = await withUnknown('mark-delivered.db');
    const on = ['--store', store];
    const mark = ['orders', 'mark', orderId, '--delivered', ...seen, '--serial-number', 'SN-77', ...on];

    expect(await run([...mark, '--dry-run'])).toEqual({
      code: 0,
      stdout: `${orderId} would be PAID / Sukses.\n`,
      stderr: 'Nothing was changed: this was a dry run.\n',
    });
    expect((await run(mark)).stderr).toContain('This needs --yes: ');
    expect(JSON.parse((await run([...mark, '--yes', '--json'])).stdout)).toMatchObject({
      buy_status: 'Sukses',
      serial_number: 'SN-77',
    });
    const shown = await run(['orders', 'show', orderId, ...on, '--json']);
    const { history, units } = JSON.parse(shown.stdout);
    expect(history.map((one: { note: string | null }) => one.note)).toEqual([null, 'seen in its records']);
    expect(history.at(-1)).toMatchObject({ event: 'delivered', by: 'operator', serial_number: 'SN-77' });
    expect(units).toMatchObject([{ state: 'delivered', contradiction: null }]);
    const { stdout } = await run(['orders', 'show', orderId, ...on]);
    expect(stdout).toMatch(/Note on delivered of .*: seen in its\s+records\n/);
  });

  it('allows a refund only after mark --failed', async () => {
    const { orderId, store } = await withUnknown('mark-failed.db');
    const on = ['--store', store, '--yes'];

    const early = await run(['refunds', 'create', orderId, '--note', 'bank', ...on]);
    expect({ code: early.code, stdout: early.stdout }).toEqual({ code: 6, stdout: '' });
    expect(early.stderr).toContain(`${orderId} was not changed. The supplier may have delivered`);
    expect(early.stderr).toContain(`topup orders mark ${orderId} --failed --note '<how you know>'`);
    expect((await run(['orders', 'retry', orderId, ...on])).stderr).toContain('could deliver twice: item 1');

    const { stdout, stderr } = await run(['orders', 'mark', orderId, '--failed', ...seen, ...on]);
    expect(stdout).toBe(`${orderId} is PAID / Gagal.\n`);
    expect(stderr).toContain(`topup refunds create ${orderId}`);
    const refund = ['refunds', 'create', orderId, '--note', 'BCA 7 April', ...on];
    expect((await run(refund)).stdout).toContain(`${orderId} is REFUND / Gagal.\n`);
    expect((await run(['orders', 'show', orderId, '--store', store])).stdout).toMatch(/: BCA 7\s+April\n/);
  });

  it('lists the delivered units and their proofs before and after mark --failed', async () => {
    const { orderId, store } = await withUnknown('mark-back.db');
    const on = ['--store', store];
    const proof = ['--serial-number', 'SN-77'];
    await run(['orders', 'mark', orderId, '--delivered', ...seen, ...proof, ...on, '--yes']);
    const mark = ['orders', 'mark', orderId, '--failed', ...seen, ...on];
    const warning =
      'These delivered items will count as NOT delivered, and a retry buys them again: item 1 (SN-77).';

    const dry = await run([...mark, '--dry-run']);
    expect(dry.stderr).toBe(`${warning}\nNothing was changed: this was a dry run.\n`);
    expect((await run(mark)).stderr).toContain(warning);
    expect((await run([...mark, '--yes'])).stdout).toBe(`${orderId} is PAID / Gagal.\n`);

    const { stdout } = await run(['orders', 'show', orderId, ...on]);
    expect(stdout).toContain('Counted as delivered until then: item 1 (SN-77).');
    const { history } = JSON.parse((await run(['orders', 'show', orderId, ...on, '--json'])).stdout);
    expect(history.at(-1)).toMatchObject({
      event: 'undelivered',
      revoked: [{ unit: 1, serial_number: 'SN-77' }],
    });
  });

  it.each([
    [[], 'Say what happened to the order: --delivered or --failed.'],
    [['--delivered'], '--note is missing'],
    [['--failed', '--note', ' '], '--note needs a text.'],
    [['--failed', ...seen, '--item', 'two'], '--item takes the number of an item, from 1 up, not "two".'],
    [['--delivered', '--failed', ...seen], 'cannot be used with'],
    [['--failed', ...seen, '--serial-number', 'SN'], 'cannot be used with'],
  ])('rejects the command orders mark %j', async (args, message) => {
    const { code, stderr } = await onStore(['mark', failed, ...args]);
    expect({ code, says: stderr.includes(message), stderr }).toMatchObject({ code: 2, says: true });
  });
});

describe('orders reconcile', () => {
  beforeEach(makeCopy);

  async function note(
    reconciliationId: string,
    orderId: string,
    { reason = 'late', file = copy() }: { reason?: 'late' | 'refunded'; file?: string } = {},
  ): Promise<void> {
    const moment = Date.parse('2026-03-29T10:00:00+07:00');
    await inStore(file, (store) =>
      store.addReconciliation({
        ...{
          reconciliationId,
          orderId,
          reference: 'SIM1',
          amount: 40_000,
          fee: null,
          paidAt: moment,
          noticedAt: moment,
        },
        ...{ reason, state: 'open', note: null, closedAt: null, closedBy: null },
      }),
    );
  }

  it('says when there are no payments to reconcile', async () => {
    expect(await onCopy(['reconcile'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `No payments to reconcile in ${copy()}.\n`,
    });
  });

  it('lists open payments with their orders', async () => {
    await note('late-1', expired);

    const { stdout, stderr } = await onCopy(['reconcile']);

    expect(steady(stdout)).toMatchInlineSnapshot(`
      "  Payment   late-1
        Order     <order id>
        Ref       SIM1
        Amount    Rp 40,000
        Why       paid after the order expired
        Paid      <time>
        State     open
      "
    `);
    expect(stderr).toContain('payments settle <payment>');
    expect((await onCopy(['show', expired, '--history'])).stdout).toContain('late-1');
  });

  it('shows the result of settling or returning with --dry-run, and leaves the payment unchanged', async () => {
    await note('late-1', expired);

    const settled = await onCopy(['reconcile', '--settle', 'late-1', '--dry-run']);
    const returned = await onCopy(['reconcile', '--return', 'late-1', '--note', 'by hand', '--dry-run']);

    expect(steady(settled.stdout)).toBe('<order id> would be PAID / Proses.\n');
    expect(returned.stdout).toMatch(/State {5}returned\n {2}By {8}.+\n {2}Note {6}by hand\n$/);
    expect((await onCopy(['reconcile'])).stdout).toMatch(/State {5}open\n$/);
  });

  it('requires a confirmation to return a payment', async () => {
    await note('asked-1', expired);
    const command = ['reconcile', '--return', 'asked-1', '--note', 'by hand'];
    expect(await onCopy(command)).toMatchObject({
      code: 2,
      stderr:
        'Error: This needs --yes: The payment of Rp 40,000 will be recorded as returned to the customer.\nNothing was done.\n',
    });
    expect((await onCopy(['reconcile'])).stdout).toContain('asked-1');
    expect(await onCopy([...command, '--yes'])).toMatchObject({ code: 0 });
    expect((await onCopy(['reconcile'])).stdout).not.toContain('asked-1');
  });

  it('settles a payment for its order, which the server delivers', async () => {
    const orderId = await place();
    await asked('sandbox', 'expire', orderId);
    await note(`late-${orderId}`, orderId, { file: path });
    expect(await onStore(['reconcile', '--settle', `late-${orderId}`, '--yes'])).toMatchObject({ code: 0 });

    await until(async () => (await stateOf(orderId)) === 'PAID / Sukses', 8_000);
    expect((await onStore(['reconcile'])).stdout).not.toContain(orderId);
    expect((await onStore(['reconcile', '--all'])).stdout).toContain(
      "settled: counted as the order's payment",
    );
  }, 15_000);

  it("rejects a closed payment, or a payment for an order that can't accept it, and exits with 6", async () => {
    await note('late-1', expired);
    await note('twice-1', delivered);
    await onCopy(['reconcile', '--settle', 'late-1', '--yes']);

    expect(await onCopy(['reconcile', '--settle', 'late-1'])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('is already settled'),
    });
    const { code, stderr } = await onCopy(['reconcile', '--settle', 'twice-1']);
    expect(code).toBe(6);
    expect(stderr).toContain("can't be settled: it is PAID / Sukses");
    expect(stderr).toMatch(/pay the money back.*\n {2}topup payments return twice-1 --note '<how>'\n/);
  });

  it('keeps the note about a returned payment', async () => {
    await note('twice-1', delivered);
    const args = ['reconcile', '--return', 'twice-1', '--note', 'BCA 7 April', '--yes'];

    expect(JSON.parse((await onCopy([...args, '--json'])).stdout)).toMatchObject({
      state: 'returned',
      note: 'BCA 7 April',
    });
    expect((await onCopy(['reconcile', '--all'])).stdout).toContain('BCA 7 April');
    expect(await onCopy(args)).toMatchObject({ code: 6 });
  });

  it('exits with 6 if another operator closes a payment before the confirmation', async () => {
    await note('twice-2', delivered);
    const args = ['reconcile', '--return', 'twice-2', '--note', 'mine'];

    expect(
      await confirmAfter(args, (store) => store.returnReconciliation('twice-2', 'theirs')),
    ).toMatchObject({ code: 6, stdout: '', stderr: expect.stringContaining('is already returned') });
    expect((await onCopy(['reconcile', '--all'])).stdout).toContain('theirs');
  });

  it('shows a refund by the gateway, and allows only closing it', async () => {
    await note('SIM1-40000-refund', delivered, { reason: 'refunded' });

    expect(steady((await onCopy(['reconcile'])).stdout)).toMatchInlineSnapshot(`
      "  Payment   SIM1-40000-refund
        Order     <order id>
        Ref       SIM1
        Amount    Rp 40,000
        Why       the gateway paid this amount back, but the order does not show it
        Refunded  <time>
        State     open
      "
    `);
    const settled = await onCopy(['reconcile', '--settle', 'SIM1-40000-refund', '--yes']);
    expect(settled).toMatchObject({ code: 6, stderr: expect.stringContaining('no money to settle') });
    for (const command of [
      `orders mark ${delivered} --failed`,
      `refunds create ${delivered}`,
      'payments return SIM1-40000-refund',
    ])
      expect(settled.stderr).toContain(command);
    const close = ['reconcile', '--return', 'SIM1-40000-refund', '--note', 'delivered; charged again'];
    expect((await onCopy(close)).stderr).toContain(
      'The refund of Rp 40,000 by the gateway will be closed. The order stays as it is.',
    );
    expect((await onCopy([...close, '--yes'])).stdout).toContain('State     closed\n');
    expect((await onCopy(['show', delivered, '--history'])).stdout).toContain('Delivery  Sukses');
    expect((await onCopy(['reconcile'])).stdout).toBe('');
  });

  it.each([
    [['--settle', 'none'], 3],
    [['--return', 'none', '--note', 'x'], 3],
    [['--return', 'none'], 2],
    [['--note', 'x'], 2],
    [['--settle', 'a', '--return', 'b', '--note', 'x'], 2],
  ])('exits for orders reconcile %j with %i', async (args, code) => {
    expect(await onCopy(['reconcile', ...args])).toMatchObject({ code });
  });
});

describe('orders abandon', () => {
  beforeEach(makeCopy);
  const note = 'not in its dashboard';

  async function reserved(milliseconds: number, letter: string): Promise<string> {
    const order = another(letter);
    await inStore(copy(), async (store) => {
      // The sandbox's clock is ahead.
      const createdAt = Date.now() + (await store.readWorldOffset()) - milliseconds;
      await store.reserveOrder(reserve({ ...order, createdAt }));
    });
    return order.orderId;
  }

  it('abandons an order with an unclear payment as FAILED, and records the note and the operator', async () => {
    const orderId = await reserved(60_000, 'A');
    const args = ['abandon', orderId, '--note', note];

    const dry = await onCopy([...args, '--dry-run']);
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining(note) });
    expect((await onCopy(['abandon', orderId, '--yes'])).code).toBe(2);

    const { code, stdout, stderr } = await onCopy([...args, '--yes', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      order_id: orderId,
      note,
      contact: another('A').contact,
      total_price: another('A').pricing.total_price,
    });
    expect((await onCopy([...args, '--yes'])).code).toBe(6);
    const shown = JSON.parse((await onCopy(['show', orderId, '--history', '--json'])).stdout);
    expect(shown).toMatchObject({
      ...{ payment_status: 'FAILED', buy_status: 'Batal' },
      history: [{ event: 'failed', by: 'operator', operator: expect.any(String), note }],
    });
    expect((await onCopy(['search', orderId])).stdout).toContain(orderId);
  });

  it('rejects an order that is paid before the confirmation', async () => {
    const orderId = await reserved(60_000, 'C');
    const { payment } = another('C');

    expect(
      await confirmAfter(['abandon', orderId, '--note', note], (store) =>
        store.finaliseOrder({ orderId, payment, response: null }),
      ),
    ).toMatchObject({ code: 6, stdout: '', stderr: expect.stringContaining('it has a payment') });
  });

  it('rejects an order that is being created, and an order with a payment', async () => {
    const young = await reserved(1_000, 'B');

    expect(await onCopy(['abandon', young, '--note', note, '--yes'])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('may still be creating its payment'),
    });
    expect(await onCopy(['abandon', unpaid, '--note', note, '--yes'])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('it has a payment'),
    });
  });
});
