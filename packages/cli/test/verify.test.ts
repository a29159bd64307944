import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixtureOrder } from './helpers/order.ts';
import { ownStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';
import { startSandbox as serve } from './helpers/servers.ts';

const own = ownStore(async (path) => {
  await using server = await serve(`file:${path}`);
  await run([...fixtureOrder, '--base-url', server.baseUrl]);
});
const topup = (...args: string[]) => run(args, { environment: { TOPUP_STORE: own.url } });
const newestOrder = async (): Promise<string> => (await topup('orders', 'list', '-q')).stdout.trim();

describe('db verify', () => {
  it('shows the totals of a store without differences', async () => {
    const { code, stdout, stderr } = await topup('db', 'verify');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/ Orders +1, items: 0\n/);
    expect(stdout).toMatch(/ Paid +Rp 0\n/);
    expect(stdout).toMatch(/ Differences +0\n$/);
  });

  it('shows each difference with its order and command, and exits with 1', async () => {
    const orderId = await newestOrder();
    own.edit(
      `UPDATE orders SET payment_status = 'PAID', buy_status = 'Sukses' WHERE order_id = '${orderId}'`,
    );
    const { code, stdout } = await topup('db', 'verify');
    expect(code).toBe(1);
    const lines = stdout.split('\n').filter((line) => line.startsWith(`${orderId}, `));
    expect(lines.map((line) => line.split(/[,:]/)[1]?.trim())).toEqual(['history', 'items', 'amounts']);
    for (const line of lines)
      expect(line).toMatch(new RegExp(` See topup orders show ${orderId} --history$`));
    const shown = await topup(...(lines[0]?.split('See topup ')[1] ?? '').split(' '));
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(orderId) });
    const { code: same, stdout: json } = await topup('db', 'verify', '--json');
    expect(same).toBe(1);
    expect(JSON.parse(json)).toMatchObject({
      ...{ orders: 1, found: 3, money: { received: expect.any(Number) } },
      differences: [{ rule: 'history', order_id: orderId, difference: expect.any(String) }, {}, {}],
    });
  });

  it('reports a missing or invalid store in one line', async () => {
    expect(await topup('db', 'verify', '--store', `file:${own.path}.none`)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^Error: There is no file .*\n/),
    });
    writeFileSync(own.path, 'a text that is no store at all, and long enough to be one');
    expect(await topup('db', 'verify')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Error: .* is not a database\.\n|^Error: .* not a .*store/),
    });
  });

  it("verifies a store after a restore, and shows the backup's differences", async () => {
    const [backup, broken] = [own.fileIn('backup.db'), own.fileIn('broken.db')];
    await topup('backup', backup);
    expect((await topup('restore', backup, '--yes')).stderr).toContain(
      'Verified: 1 order, and all records agree',
    );
    own.edit('UPDATE promos SET used = used + 1 WHERE used < quota');
    await topup('backup', broken);
    const { code, stderr } = await topup('restore', broken, '--yes');
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /Warning: records of the store contradict each other in \d+ places?:\npromos: uses of promo /,
    );
  });
});
