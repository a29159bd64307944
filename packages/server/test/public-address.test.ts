import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../src/features/webhooks/guarded-agent.ts';
import { checkEndpointUrl } from '../src/internal.ts';

describe('an address', () => {
  it.each([
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
    ['not the address of a machine', ['0.0.0.0', '0.1.2.3', '::', '255.255.255.255', '240.0.0.1']],
    ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1', 'fc00::1', 'fec0::1']],
    ['shared by the customers of a provider (CGNAT)', ['100.64.0.1', '100.127.255.255']],
    ['link-local, as the metadata of clouds', ['169.254.169.254', 'fe80::1', 'fe80::1%eth0']],
    ['multicast', ['224.0.0.1', '239.255.255.250', 'ff02::1']],
    ['IPv4 in IPv6', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1', '::8.8.8.8']],
    [
      'translated from IPv4 (NAT64, 6to4, Teredo)',
      ['64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001::1'],
    ],
    [
      'for documentation and tests',
      ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '2001:db8::1', '3fff::1'],
    ],
    ['nothing', ['', 'hooks.example', '127.1']],
  ])('treats an address as not public if it is %s', (_, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  it('treats other addresses as public', () => {
    const addresses = [
      ...[
        '8.8.8.8',
        '1.1.1.1',
        '9.255.255.255',
        '11.0.0.1',
        '172.15.255.255',
        '172.32.0.1',
        '100.63.255.255',
      ],
      ...['100.128.0.1', '169.253.1.1', '192.167.1.1', '223.255.255.255', '103.208.23.7'],
      ...['2606:4700:4700::1111', '2001:4860:4860::8888', '2404:6800:4003::1', '2a00:1450:4001::1'],
    ];
    expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([]);
  });
});

describe('the URL of an endpoint', () => {
  const private_ =
    'In live mode, the URL must be on the internet, not on this machine or in a private network.';
  const whole = 'The URL must be complete, such as https://shop.example/hooks.';

  it.each([
    ['https://127.0.0.1/', private_],
    ['https://2130706433/', private_],
    ['https://0x7f.1/', private_],
    ['https://0177.0.0.1/', private_],
    ['https://127.0.0.1./', private_],
    ['https://%31%32%37.0.0.1/', private_],
    ['https://①②⑦.⓪.⓪.①/', private_],
    ['https://[::1]/', private_],
    ['https://[::ffff:7f00:1]/', private_],
    ['https://[::ffff:127.0.0.1]/', private_],
    ['https://[64:ff9b::7f00:1]/', private_],
    ['https://169.254.169.254/latest/meta-data', private_],
    ['https://localhost/', private_],
    ['https://hooks.localhost./', private_],
    ['https://printer.local/', private_],
    ['https://metadata.google.internal/', private_],
    ['http://shop.example/hooks', 'In live mode, the URL must begin with https://.'],
  ])('rejects %s as an endpoint in live mode, and accepts it in a sandbox', (url, sentence) => {
    expect(checkEndpointUrl(url, 'live')).toBe(sentence);
    expect(checkEndpointUrl(url, 'sandbox')).toBeUndefined();
  });

  it.each([
    ['shop.example/hooks', whole],
    ['ftp://shop.example/hooks', whole],
    ['javascript:alert(1)', whole],
    ['https:shop.example', whole],
    ['https://999.1.1.1/', whole],
    ['https://user@shop.example/', /must not have a user name or password/],
    ['https://user:secret@shop.example/', /must not have a user name or password/],
    ['https://shop.example/#secret', /must not have a fragment/],
    [`https://shop.example/${'a'.repeat(2_048)}`, 'The URL must have at most 2048 characters.'],
  ])('rejects %s as an endpoint always, without repeating it', (url, sentence) => {
    for (const mode of ['live', 'sandbox'] as const) {
      expect(checkEndpointUrl(url, mode)).toMatch(sentence);
      expect(checkEndpointUrl(url, mode)).not.toMatch(/secret|aaa/);
    }
  });

  it('accepts any other endpoint, with a port and a query', () => {
    for (const url of ['https://shop.example/hooks', 'https://shop.example:8443/a?b=c', 'https://8.8.8.8/'])
      expect(checkEndpointUrl(url, 'live')).toBeUndefined();
  });
});
