import { readFile, writeFile } from 'node:fs/promises';
import { createTopupClient } from '@topup-kit/sdk';

const file = `${process.argv[2]}.key`;
// Written before the first request. `wx` keeps the key of an earlier run.
await writeFile(file, crypto.randomUUID(), { flag: 'wx', flush: true }).catch(() => {});
const idempotencyKey = await readFile(file, 'utf8');

const client = createTopupClient();
const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
};
const { orderId } = await client.orders.create(order, { idempotencyKey, idempotency: 'supported' });
console.log(orderId);
