import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { hurriedClock } from '../../../test/hurry.ts';
import { ownStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

const phone = '081277712345';
const promo = { code: 'SEKALI', percent: '10' };

/** Delivered, expired and unpaid orders of one person, and a delivered one of another. */
let ids: { delivered: string; expired: string; open: string; other: string };
const orderOf = (whatsapp: string, player: string, ...more: string[]): string[] => [
  ...['orders', 'create', '--game', 'mobile-legends', '--product', '901', '--payment-method', '12'],
  ...['--id', player, '--server', '2012', '--whatsapp', whatsapp, ...more],
];
const budi = ['--nickname', 'BudiPro', '--email', 'budi@mail.test'];

const own = ownStore(async (path) => {
  const environment = { TOPUP_STORE: `file:${path}` };
  await using server = await startSandbox(`file:${path}`, { realClock: hurriedClock() });
  const asked = (...args: string[]) => run([...args, '--base-url', server.baseUrl]);
  const place = async (args: string[], key: string): Promise<string> =>
    JSON.parse((await asked(...args, '--idempotency-key', key, '--json')).stdout).orderId;
  await run(['promos', 'create', '--code', promo.code, '--percent', '10', '--per-customer', '1'], {
    environment,
  });
  const expired = await place(orderOf(phone, '55544433', ...budi), 'key-expired');
  await asked('sandbox', 'advance', '2d');
  const delivered = await place(
    orderOf('+62 812 7771 2345', '55544433', ...budi, '--promo', promo.code),
    'key-delivered',
  );
  const other = await place(orderOf('081299900011', '66600011'), 'key-other');
  for (const orderId of [delivered, other]) await asked('sandbox', 'pay', orderId);
  await asked('sandbox', 'advance', '5m');
  const open = await place(orderOf('6281277712345', '55544433', ...budi), 'key-open');
  ids = { delivered, expired, open, other };
});

const topup = (...args: string[]) => run(args, { environment: { TOPUP_STORE: own.url } });
const json = async (...args: string[]) => JSON.parse((await topup(...args, '--json')).stdout);
const erase = (...args: string[]) => topup('customers', 'erase', '--phone', phone, ...args);

/** How often the bytes of the store's files have a text. */
const countBytes = (text: string): number =>
  [own.path, `${own.path}-wal`]
    .filter((file) => existsSync(file))
    .reduce((sum, file) => sum + readFileSync(file).toString('latin1').split(text).length - 1, 0);

/** The order that is not paid expires, so that all orders of the person are finished. */
const finishOpen = async (): Promise<void> => {
  await using server = await startSandbox(own.url, { realClock: hurriedClock() });
  await run(['sandbox', 'advance', '3d', '--base-url', server.baseUrl]);
};

describe('customers show', () => {
  it("finds a customer's orders by any notation of the phone number, and shows what an erasure must keep for now", async () => {
    for (const given of [phone, '+62 812-7771-2345', '6281277712345']) {
      const shown = await json('customers', 'show', '--phone', given);
      expect(shown).toMatchObject({ phone: '6281277712345', callbacks: 0, events: 0 });
      expect(
        shown.orders.map((one: { order_id: string; kept_because: unknown }) => [
          one.order_id,
          one.kept_because,
        ]),
      ).toEqual([
        [ids.open, 'open'],
        [ids.delivered, null],
        [ids.expired, null],
      ]);
      expect(shown.orders[1]).toMatchObject({
        target: { id: '55544433', server: '2012', nickname: 'BudiPro' },
        contact: { email: 'budi@mail.test' },
      });
    }
    const { code, stdout, stderr } = await topup('customers', 'show', '--phone', phone);
    expect(code).toBe(0);
    expect(stdout).toMatch(/ Orders +3\n/);
    expect(stderr).toContain(`1 order can't be erased yet:\n  ${ids.open}: it is not finished\n`);
  });

  it('suggests no erasure if there is no personal data', async () => {
    const { code, stderr } = await topup('customers', 'show', '--phone', '081299990000');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('reports an invalid phone number or a missing store in one line', async () => {
    for (const command of ['show', 'erase']) {
      for (const wrong of ['budi', '12', '0812'])
        expect(await topup('customers', command, '--phone', wrong)).toMatchObject({
          code: 2,
          stderr: expect.stringMatching(/^Error: --phone takes a phone number, such as 081234567890, not "/),
        });
      expect(await topup('customers', command)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^Error: --phone is missing: give the customer's phone number\.\n/),
      });
      expect(
        await topup('customers', command, '--phone', phone, '--store', `file:${own.path}.none`),
      ).toMatchObject({ code: 3, stderr: expect.stringMatching(/^Error: There is no store at /) });
    }
  });
});

describe('customers erase', () => {
  it('erases nothing in a dry run or without --yes', async () => {
    const before = await json('customers', 'show', '--phone', phone);
    const dry = await erase('--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject({
      ...{ dry_run: true, would_erase: [ids.delivered, ids.expired], erased: [] },
      kept: [{ order_id: ids.open, because: 'open' }],
    });
    expect(await erase()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `This needs --yes: The personal data of 2 orders will be erased from ${own.path}. That can't be undone.\n`,
      ),
    });
    expect(await json('customers', 'show', '--phone', phone)).toEqual(before);
    expect(await json('customers', 'erasures')).toEqual({ erasures: [] });
  });

  it('skips an unfinished order, reports it, and exits with 1', async () => {
    const { code, stdout, stderr } = await erase('--yes', '--operator', 'ani');
    expect([code, stdout]).toEqual([1, 'The personal data of 2 orders was erased.\n']);
    expect(stderr).toBe(
      `1 order can't be erased yet. Run the command again later.\n  ${ids.open}: it is not finished\n`,
    );
    expect(await json('orders', 'show', ids.open, '--store', own.url)).toMatchObject({
      target: { nickname: 'BudiPro' },
    });
    expect(await json('customers', 'erasures')).toEqual({
      erasures: [{ at: expect.any(String), by: 'ani', orders: 2, callbacks: 0, events: 0 }],
    });
  });

  describe('an erasure of a person whose orders are all finished', () => {
    beforeEach(finishOpen);

    it('leaves no personal data in the file while a server runs, and keeps the reports unchanged', async () => {
      await using server = await startSandbox(own.url, { realClock: hurriedClock() });
      const asked = async (...args: string[]) =>
        JSON.parse((await run([...args, '--json', '--base-url', server.baseUrl])).stdout);
      const report = () => topup('report', 'sales', '--from', '2020-01-01', '--to', '2100-01-01', '--json');
      const before = await report();
      expect(countBytes('BudiPro')).toBeGreaterThan(0);
      const { code, stdout } = await erase('--yes');
      expect([code, stdout]).toEqual([0, 'The personal data of 3 orders was erased.\n']);
      for (const text of ['7771234', '7771 2345', 'BudiPro', 'budipro', 'budi@mail', '55544433'])
        expect([text, countBytes(text)]).toEqual([text, 0]);
      expect(countBytes('66600011')).toBeGreaterThan(0);
      expect((await asked('invoices', 'show', ids.delivered)).order).toMatchObject({
        ...{ id_games: 'erased', server_games: null, nickname: null, email: null, whatsapp: 'erased' },
        ...{ payment_status: 'PAID', buy_status: 'Sukses' },
      });
      expect((await report()).stdout).toBe(before.stdout);
      expect(await topup('db', 'verify')).toMatchObject({ code: 0, stderr: '' });
      const again = await erase('--yes');
      expect([again.code, again.stdout]).toEqual([0, `${own.path} has no data of 6281277712345 to erase.\n`]);
    });

    it('keeps the promo limits and the keys of an erased customer', async () => {
      await erase('--yes');
      await using server = await startSandbox(own.url, { realClock: hurriedClock() });
      const ask = (args: string[], key: string) =>
        run([...args, '--idempotency-key', key, '--json', '--base-url', server.baseUrl]);
      const used = await ask(orderOf(phone, '55544433', '--promo', promo.code), 'key-new');
      expect(JSON.parse(used.stdout)).toMatchObject({ error: { code: 'PROMO_USED' } });
      const validated = await run([
        ...['promos', 'validate', promo.code, '--game', 'mobile-legends', '--product', '901'],
        ...['--payment-method', '12', '--whatsapp', phone, '--json', '--base-url', server.baseUrl],
      ]);
      expect(JSON.parse(validated.stdout)).toMatchObject({ error: { code: 'PROMO_USED' } });
      const other = await ask(orderOf('081299900011', '66600011', '--promo', promo.code), 'key-new');
      expect(other.code).toBe(0);
      const same = orderOf('+62 812 7771 2345', '55544433', ...budi, '--promo', promo.code);
      expect(JSON.parse((await ask(same, 'key-delivered')).stdout)).toMatchObject({ orderId: ids.delivered });
      const changed = await ask(orderOf(phone, '77700011'), 'key-delivered');
      expect(JSON.parse(changed.stdout)).toMatchObject({ error: { code: 'IDEMPOTENCY_CONFLICT' } });
    });

    it('continues an interrupted erasure with the same command', async () => {
      // The newest order is erased first; the next one fails.
      own.edit(
        `CREATE TRIGGER cut BEFORE UPDATE OF details ON orders WHEN NEW.order_id = '${ids.delivered}' BEGIN SELECT RAISE(ABORT, 'cut off'); END`,
      );
      expect((await erase('--yes')).code).toBe(1);
      const left = await json('customers', 'show', '--phone', phone);
      expect(left.orders.map((one: { order_id: string }) => one.order_id)).toEqual([
        ids.delivered,
        ids.expired,
      ]);
      expect(await json('orders', 'show', ids.delivered, '--store', own.url)).toMatchObject({
        target: { nickname: 'BudiPro' },
      });
      expect((await topup('db', 'verify')).code).toBe(0);
      own.edit('DROP TRIGGER cut');
      expect(await erase('--yes')).toMatchObject({
        code: 0,
        stdout: 'The personal data of 2 orders was erased.\n',
      });
      expect(countBytes('BudiPro')).toBe(0);
      expect((await topup('db', 'verify')).code).toBe(0);
    });

    it('erases nothing if the customer secret was encrypted with another key', async () => {
      own.edit("UPDATE customer_secret SET secret = 'sealed:v1:AAAA'");
      expect(await erase('--yes')).toMatchObject({
        code: 6,
        stderr: expect.stringMatching(
          /^Error: The secret of erased customers is encrypted: set TOPUP_SECRET_KEY/,
        ),
      });
      expect((await json('customers', 'show', '--phone', phone)).orders).toHaveLength(3);
    });
  });
});
