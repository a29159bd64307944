import { expect, it } from 'vitest';
import { maskCredentials } from '../src/http/index.ts';

it.each([
  ['https://user:secret@shop.test/api', 'https://****@shop.test/api'],
  ['http://user:secret@shop.test/api', 'http://****@shop.test/api'],
  ['HTTPS://user:se@cret@shop.test/', 'HTTPS://****@shop.test/'],
  ['postgres://topup:secret@db/shop', 'postgres://****@db/shop'],
  ['postgresql://topup:secret@db:5432/shop', 'postgresql://****@db:5432/shop'],
  // A password that should have been escaped.
  ['postgres://topup:sec/re@t@db/shop', 'postgres://****@db/shop'],
  ['postgres://topup:sec\nret@db/shop', 'postgres://****@db/shop'],
  ['topup:secret@db/shop', '****@db/shop'],
  ['postgres://db/shop?user=topup&password=secret', 'postgres://db/shop?user=topup&password=****'],
  ['postgres://db/shop?PASSWORD=sec\nret', 'postgres://db/shop?PASSWORD=****'],
  // The host was forgotten, or the scheme is wrong.
  ['postgres://topup:secret', 'postgres://****'],
  ['postgres//topup:secret', 'postgres//****'],
  ['POSTGRES://topup:123secret/shop', 'POSTGRES://****'],
])('masks %j as %j', (url, shown) => {
  expect(maskCredentials(url)).toBe(shown);
});

it.each([
  'https://shop.test/api',
  // Neither a user nor a password: it is behind the host.
  'https://shop.test/@user?mail=a@b#c@d',
  'postgres://db/shop',
  'postgres://db:5432/shop',
  'file:./data/topup.db',
  'file:./a@b/topup.db',
  'memory:',
])('masks nothing in %j', (url) => {
  expect(maskCredentials(url)).toBe(url);
});
