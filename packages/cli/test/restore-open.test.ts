import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { formats, keptStore } from '../../server/test/formats/formats.ts';
import { fixtureOrder } from './helpers/order.ts';
import { ownStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

const own = ownStore(async (path) => {
  await using server = await startSandbox(`file:${path}`);
  await run([...fixtureOrder, '--base-url', server.baseUrl]);
});
const topup = (...args: string[]) => run(args, { environment: { TOPUP_STORE: own.url } });

it("lists a backup's open orders with the replaced store's data, and shows the backup's time", async () => {
  const backup = own.fileIn('backup.db');
  await topup('backup', backup);
  const orderId = (await topup('orders', 'list', '-q')).stdout.trim();
  own.edit(`UPDATE orders SET payment_status = 'PAID', buy_status = 'Sukses', serial_number = 'SN-77'`);
  const before = Date.now();
  const { code, stdout, stderr } = await topup('restore', backup, '--yes');
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`\n +${orderId} +UNPAID / Pending +PAID / Sukses +SN-77\n`));
  expect(stderr).toContain('The server buys nothing automatically for the 1 order above');
  expect(stderr).toContain(
    `topup orders mark <order-id> --delivered --note <how you know> --store ${own.path}`,
  );
  const restoredAt = await own.inStore((store) => store.readRestoredAt());
  expect(restoredAt).toBeGreaterThanOrEqual(before);
  expect(restoredAt).toBeLessThanOrEqual(Date.now());
});

it.each([
  ['EXPIRED', 'Batal'],
  ['REFUND', 'Gagal'],
])(
  "doesn't list an order after a restore that is %s / %s in the backup, whatever happened to the order since",
  async (payment, buy) => {
    const backup = own.fileIn('backup.db');
    own.edit(`UPDATE orders SET payment_status = '${payment}', buy_status = '${buy}'`);
    await topup('backup', backup);
    own.edit(`UPDATE orders SET payment_status = 'PAID', buy_status = 'Sukses'`);
    const { stdout } = await topup('restore', backup, '--yes', '--json');
    expect(JSON.parse(stdout).open_orders).toEqual([]);
  },
);

it('prints no list for a new store, or for a backup without open orders', async () => {
  const backup = own.fileIn('backup.db');
  await topup('backup', backup);
  const { stdout } = await topup(
    'restore',
    backup,
    '--yes',
    '--json',
    '--store',
    `file:${own.fileIn('new.db')}`,
  );
  expect(JSON.parse(stdout).open_orders).toEqual([]);
  own.edit(`UPDATE orders SET payment_status = 'EXPIRED', buy_status = 'Batal'`);
  await topup('backup', backup, '--force');
  expect((await topup('restore', backup, '--yes')).stderr).not.toContain('buys nothing');
});

it.each(['sqlite-1a', 'sqlite-1b', 'sqlite-2', 'sqlite-8', 'sqlite-17'])(
  'restores a store in the format %s with the same last lines',
  async (name) => {
    const format = formats.find((one) => one.name === name) ?? expect.fail();
    const backup = own.fileIn('old.db');
    writeFileSync(backup, keptStore(format));
    const { code, stderr } = await topup('restore', backup, '--yes');
    expect([code, stderr]).toEqual([0, expect.stringContaining('Restored from')]);
    expect(await topup('db', 'upgrade')).toMatchObject({ code: 0 });
  },
);
