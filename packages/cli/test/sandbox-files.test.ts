import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { expect, it } from 'vitest';
import { temporaryFolder } from './helpers/folder.ts';
import { run } from './helpers/run.ts';
import { ownSandbox } from './helpers/servers.ts';

const server = ownSandbox();
const { asked: at, place } = server;

const stateOf = async (orderId: string): Promise<string> => {
  const { stdout, code } = await at('orders', 'show', orderId, '--json');
  if (code !== 0) return `exit ${code}`;
  const { order } = JSON.parse(stdout);
  return `${order.payment_status} / ${order.buy_status}`;
};

it('prints a snapshot as a file for restore', async () => {
  using folder = temporaryFolder();
  const orderId = await place();
  await at('sandbox', 'pay', orderId);
  const { stdout } = await at('sandbox', 'snapshot');
  expect(JSON.parse(stdout).format).toBe('topup-kit/snapshot@1');
  const file = join(folder.path, 'paid.json');
  await writeFile(file, `\ufeff${stdout}`);
  await at('sandbox', 'reset', '--yes');
  expect(await stateOf(orderId)).toBe('exit 3');
  expect((await at('sandbox', 'restore', file)).code).toBe(0);
  expect(await stateOf(orderId)).toMatch(/^PAID/);
});

it('restores the output of --json from stdin', async () => {
  const orderId = await place();
  const { stdout } = await at('sandbox', 'snapshot', '--json');
  expect(Object.keys(JSON.parse(stdout))).toEqual(['id', 'snapshot']);
  await at('sandbox', 'reset', '--yes');
  expect((await run(server.at('sandbox', 'restore', '-'), { input: stdout })).code).toBe(0);
  expect(await stateOf(orderId)).toBe('UNPAID / Pending');
});

it('restores a snapshot by its id', async () => {
  const orderId = await place();
  const { id } = JSON.parse((await at('sandbox', 'snapshot', '--json')).stdout);
  await at('sandbox', 'reset', '--yes');
  expect((await at('sandbox', 'restore', '--id', String(id))).code).toBe(0);
  expect(await stateOf(orderId)).toBe('UNPAID / Pending');
});

it('explains an invalid file, and leaves the sandbox unchanged', async () => {
  using folder = temporaryFolder();
  const orderId = await place();
  const file = join(folder.path, 'snapshot.json');
  expect(await at('sandbox', 'restore', file)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`${file} can't be read`),
  });
  await writeFile(file, '{"format"');
  expect(await at('sandbox', 'restore', file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${file} is not JSON`),
  });
  const { stdout } = await at('sandbox', 'snapshot');
  await writeFile(file, stdout.replace('"UNPAID"', '"PAID"'));
  expect(await at('sandbox', 'restore', file)).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('its checksum does not match'),
  });
  expect((await at('sandbox', 'restore')).code).toBe(6);
  expect(await stateOf(orderId)).toBe('UNPAID / Pending');
});

it('fills a sandbox from a seed, and shows its orders', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'seed.json');
  const order = {
    ...{ id: '12345678', server: '2012', game: 'mobile-legends', product_id: 901, payment_method_id: 12 },
    whatsapp: '081234567890',
  };
  const seed = { format: 'topup-kit/seed@1', orders: [{ ...order, state: 'PAID / Gagal' }] };
  await writeFile(file, JSON.stringify(seed));
  const { code, stdout } = await at('sandbox', 'seed', file, '--json');
  const { orders } = JSON.parse(stdout);
  expect([code, orders]).toMatchObject([0, [{ payment_status: 'PAID', buy_status: 'Gagal' }]]);
  expect(await stateOf(orders[0].order_id)).toBe('PAID / Gagal');
});

it('replaces the catalogue with a file of any size, such as an exported file', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'catalog.json');
  const printed = await at('sandbox', 'catalog');
  const catalog = JSON.parse(printed.stdout);
  const [game] = catalog.games;
  const [product] = game.products;
  const products = Array.from({ length: 3_000 }, (_one, index) => ({
    ...product,
    id: 100_000 + index,
    code: `MANY-${index}`,
  }));
  await writeFile(file, JSON.stringify({ ...catalog, games: [{ ...game, products }], promos: [] }, null, 2));
  expect((await readFile(file)).length).toBeGreaterThan(500_000);
  expect((await at('sandbox', 'replace-catalog', file)).code).toBe(0);
  expect(JSON.parse((await at('sandbox', 'catalog')).stdout).games[0].products).toHaveLength(3_000);

  const document = JSON.stringify(sandboxCatalogFile);
  expect((await at('sandbox', 'replace-catalog', '--document', document)).code).toBe(0);
});
