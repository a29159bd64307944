import { expect, it } from 'vitest';
import { clientName } from '../src/http/index.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  [' 203.0.113.7 ', '203.0.113.7'],
  // IPv4 as a socket for both families reports it.
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  // One visitor has a whole /64, however its addresses are written.
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
  ['2001:db8::5:6', '2001:db8:0:0'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['2001:db8:1:20::1', '2001:db8:1:20'],
  ['fe80::1%eth0.100', 'fe80:0:0:0'],
  // Some proxies add the port.
  ['203.0.113.7:8080', '203.0.113.7'],
  // What is no address counts as it is.
  ['unknown', 'unknown'],
  ['x2001:db8::1', 'x2001:db8::1'],
  ['2001:db8::1 or another', '2001:db8::1 or another'],
  ['x::ffff:203.0.113.7', 'x::ffff:203.0.113.7'],
  ['::ffff:203.0.113.7x', '::ffff:203.0.113.7x'],
  ['a'.repeat(200), 'a'.repeat(64)],
  ['', ''],
  [null, ''],
  [undefined, ''],
])('counts the client name %j as %j', (address, name) => {
  expect(clientName(address)).toBe(name);
});
