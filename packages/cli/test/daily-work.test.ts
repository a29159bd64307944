import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf } from '../../../test/docs/blocks.ts';
import { startShop } from './helpers/live-shop.ts';
import { run, until } from './helpers/run.ts';

const lines = blocksOf('docs/runbook.md', 'sh')
  .flatMap((block) => block.trim().split('\n'))
  .map((line) => line.replace(/^topup /, ''));

it('runs the ten daily commands of docs/runbook.md in a live shop', {
  timeout: 60_000,
}, async () => {
  expect(lines).toHaveLength(10);
  const shop = await startShop('tripay');
  const server = await shop.serve();
  const key = await shop.makeKey();
  const order = await shop.place();
  await shop.pay(order);
  await until(async () => (await shop.statusOf(order.orderId)) === 'PAID', 8_000);
  await shop.topup('catalog', 'margin', 'set', '--yes', '--game', 'mobile-legends', '--percent', '10');
  await shop.control('digiflazz/product', { buyer_sku_code: 'ml86', price: 20_500 });
  await shop.control('advance', { seconds: 301 });
  const environment = { ...shop.environment, TOPUP_BASE_URL: server.baseUrl, TOPUP_API_KEY: key };
  const outputs = new Map<string, string>();
  for (const line of lines) {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => {
      const word = quoted ?? plain;
      if (word === '$order') return order.orderId;
      return word.endsWith('.backup') ? join(shop.folder.path, basename(word)) : word;
    });
    const { code, stdout, stderr } = await run(words, { environment });
    outputs.set(line, stdout + stderr);
    // A price waits for the second sync, and a new shop's doctor finds something.
    const expected = line === 'catalog sync' ? 1 : 0;
    if (line !== 'doctor')
      expect({ line, code, stderr: code === expected ? '' : stderr }).toEqual({
        line,
        code: expected,
        stderr: '',
      });
  }
  expect(outputs.get('catalog sync')).toMatch(/1 price to change/);
  expect(outputs.get('catalog sync --yes')).toMatch(/1 price changed/);
  expect(outputs.get('orders search 0812-3456-7890')).toContain(order.orderId);
  expect(
    (await shop.json('catalog', 'history')).edits.map((edit: { command: string }) => edit.command),
  ).toEqual([...['set-price ML86', 'sync', 'margin set game mobile-legends']]);
  const { history } = await shop.json('orders', 'show', order.orderId, '--history');
  expect(history.at(-1)).toMatchObject({ event: 'noted', note: 'called, waits for the voucher' });
});
