import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../helpers.ts';

/** Changes that break what the tests prove; each is one that a test must notice. */
const breakages: readonly (readonly [what: string, from: string, to: string])[] = [
  ['a total without the promo', 'total: data.total_price', 'total: 22_000'],
  ['another order id', 'return { orderId,', "return { orderId: 'INV-20260101000000-ABCDEFGH',"],
  ['an expired order', "return 'expired'", "return 'waiting'"],
  ['a failed delivery', "'Gagal') return 'failed'", "'Gagal') return 'delivered'"],
  ['a paid order', "'delivered' : 'paid'", "'delivered' : 'delivered'"],
  ['a delivered order', "'delivered' : 'paid'", "'paid' : 'paid'"],
  ['an unpaid order', "return 'waiting'", "return 'paid'"],
  ['a new key in each call', 'idempotencyKey: cartId', 'idempotencyKey: crypto.randomUUID()'],
  [
    'an error that is not for the customer',
    "throw new ShopError('The order could not be placed. Please try again.', { cause: error })",
    'throw error',
  ],
];

export async function judge(folder: string): Promise<void> {
  const file = join(folder, 'shop.js');
  const original = await readFile(new URL('start/shop.js', import.meta.url), 'utf8');
  const test = () => run(folder, ['npx', 'vitest', 'run', '--reporter=json'], { CI: 'true' });
  await writeFile(file, original);
  const whole = await test();
  assert.equal(whole.code, 0, `the tests fail: ${whole.stdout.slice(-2_000)}${whole.stderr.slice(-2_000)}`);
  try {
    for (const [what, from, to] of breakages) {
      assert.ok(original.includes(from), what);
      await writeFile(
        file,
        original.replace(from, () => to),
      );
      assert.notEqual((await test()).code, 0, `no test notices: ${what}`);
    }
  } finally {
    await writeFile(file, original);
  }
}
