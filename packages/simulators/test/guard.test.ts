import { request } from 'node:http';
import { requestSignature } from '@topup-kit/providers/digiflazz/signature';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNameCheck, mayCallBack } from '../src/guard.ts';
import { startSimulated } from './helpers/simulators.ts';

let tripay: Awaited<ReturnType<typeof startSimulated>>;
beforeAll(async () => {
  tripay = await startSimulated('tripay');
});
afterAll(() => tripay.simulators.close());

interface Sent {
  method?: string;
  body?: string;
}

/** The status of a request, whose Host may be another than the address that it is sent to. */
const statusOf = (path: string, headers: Record<string, string>, { method = 'GET', body }: Sent = {}) =>
  new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(tripay.simulators.url);
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(body);
  });

const here = (): string => new URL(tripay.simulators.url).host;

/** A simple request of a page needs nobody's consent: a text that happens to be JSON. */
const post = (body: object): Sent => ({ method: 'POST', body: JSON.stringify(body) });

const routes: [path: string, sent?: Sent][] = [
  ['/'],
  ['/pay/tripay/T1'],
  ['/qr/tripay/T1'],
  ['/control/books'],
  ['/control/books/tripay'],
  ['/control/calls'],
  ['/control/faults'],
  ['/control/faults', post({ provider: 'tripay', fault: 'slow' })],
  ['/control/faults', { method: 'DELETE' }],
  ['/control/advance', post({ seconds: 1 })],
  ['/control/tripay/pay', post({ reference: 'T1' })],
  ['/tripay/api/merchant/payment-channel'],
  ['/tripay/api/transaction/create', post({})],
  ['/midtrans/v2/charge', post({})],
  ['/midtrans/v2/INV-1/status'],
  ['/digiflazz/v1/transaction', post({ cb_url: 'http://192.0.2.1/' })],
  ['/vip-reseller/api/game-feature', { method: 'POST', body: 'type=status' }],
  ['/no-such-route'],
];

describe.each(routes)('%s %o', (path, sent) => {
  it('ignores requests from a page of another site', async () => {
    const rebound = { Host: 'shop.evil.example:4300', Origin: 'http://shop.evil.example:4300' };
    expect(await statusOf(path, rebound, sent)).toBe(403);
    expect(await statusOf(path, { Host: 'localhost.evil.example' }, sent)).toBe(403);
    expect(await statusOf(path, { Host: here(), Origin: 'https://evil.example' }, sent)).toBe(403);
    expect(await statusOf(path, { Host: here(), Origin: 'null' }, sent)).toBe(403);
    // Another program on this machine is another site, too.
    expect(await statusOf(path, { Host: here(), Origin: 'http://127.0.0.1:5173' }, sent)).toBe(403);
    for (const site of ['cross-site', 'same-site'])
      expect(await statusOf(path, { Host: here(), 'Sec-Fetch-Site': site }, sent)).toBe(403);
  });

  it('accepts requests from programs and from pages of the simulators', async () => {
    const own = { Host: here(), Origin: tripay.simulators.url, 'Sec-Fetch-Site': 'same-origin' };
    for (const headers of [{ Host: here() }, { Host: here().replace('127.0.0.1', 'localhost') }, own])
      expect(await statusOf(path, headers, sent)).not.toBe(403);
  });
});

it('lets another site only link to a page and show a picture, never in a frame', async () => {
  const from = (mode: string, dest: string) => ({
    ...{ Host: here(), 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': mode, 'Sec-Fetch-Dest': dest },
  });
  expect(await statusOf('/', from('navigate', 'document'))).toBe(200);
  expect(await statusOf('/pay/tripay/T1', from('navigate', 'document'))).toBe(404);
  expect(await statusOf('/qr/tripay/T1', from('no-cors', 'image'))).toBe(404);
  expect(await statusOf('/', from('navigate', 'iframe'))).toBe(403);
  expect(await statusOf('/', from('cors', 'empty'))).toBe(403);
  expect(await statusOf('/control/books', from('navigate', 'document'))).toBe(403);
  const pay = post({ reference: 'T1' });
  expect(await statusOf('/control/tripay/pay', from('navigate', 'document'), pay)).toBe(403);
});

describe('the host names of the simulators', () => {
  it.each<[string, string[], string[]]>([
    [
      '127.0.0.1',
      ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]', '127.3.2.1'],
      ['simulators', '192.168.1.7', 'evil.example', 'localhost.evil.example', '', '127.0.0.1.evil.example'],
    ],
    ['::1', ['localhost', '[::1]'], ['evil.example']],
    [
      '0.0.0.0',
      ['localhost', 'simulators', '192.168.1.7', '[fd00::7]', 'host.docker.internal', 'shop.localhost'],
      ['evil.example', 'simulators.evil.example', 'internal.evil.example', '', '192.168.1.7.evil.example'],
    ],
    ['sim.office.example', ['sim.office.example', 'SIM.office.example', 'simulators'], ['office.example']],
  ])('accepts, when they listen on %s, %j, but not %j', (listensOn, own, foreign) => {
    const isOwnName = createNameCheck(listensOn);
    expect(own.filter((name) => !isOwnName(name))).toEqual([]);
    expect(foreign.filter(isOwnName)).toEqual([]);
  });
});

describe('callbacks', () => {
  it.each([
    ['http://127.0.0.1:8000/callback', undefined, true],
    ['http://localhost/callback', undefined, true],
    ['http://[::1]:8000/callback', undefined, true],
    ['http://shop:4000/other', 'http://shop:4000/callback/tripay', true],
    ['http://shop:4001/callback', 'http://shop:4000/callback/tripay', false],
    ['http://192.168.1.1/admin', undefined, false],
    ['http://169.254.169.254/latest', 'http://shop:4000/callback/tripay', false],
    ['http://localhost@evil.example/', undefined, false],
    ['http://localhost.evil.example/', undefined, false],
    ['https://evil.example/', undefined, false],
    ['file:///etc/passwd', undefined, false],
    ['nowhere', undefined, false],
  ])('sends callbacks to %s, with %s on the command line: %s', (url, given, expected) => {
    expect(mayCallBack(url, given)).toBe(expected);
  });

  it('sends no callbacks to another address in a request, and records that in the journal', async () => {
    await using digiflazz = await startSimulated('digiflazz');
    const { status } = await fetch(`${digiflazz.baseUrl}/transaction`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        ...{ username: 'username', buyer_sku_code: 'ml86', customer_no: '123456782012', ref_id: 'INV-1-1' },
        ...{ sign: requestSignature('username', 'apikey', 'INV-1-1'), cb_url: 'http://192.0.2.1/admin' },
      }),
    });
    expect(status).toBe(200);
    await digiflazz.advance(3_600);
    expect(digiflazz.shop.received).toEqual([]);
    const { calls } = (await digiflazz.control('calls?direction=out', {}, 'GET')).body;
    const notSent = {
      ...{ url: 'http://192.0.2.1/admin', status: null },
      response: 'Not sent: callbacks go only to this machine, or to the address of --digiflazz-callback.',
    };
    expect(calls).toMatchObject([notSent, notSent]);
  });
});
