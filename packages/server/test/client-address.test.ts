import { describe, expect, it } from 'vitest';
import { createClientAddresses } from '../src/edge/client.ts';
import { startLogged } from './helpers/log.ts';
import { startSandbox } from './helpers/sandbox.ts';

describe('the address of a client', () => {
  const from = (trusted: string[], sender: string, forwarded?: string) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    // Safe: the code reads only these parts of a request.
    type Request = Parameters<ReturnType<typeof createClientAddresses>['addressOf']>[0];
    return createClientAddresses(trusted).addressOf({
      headers,
      socket: { remoteAddress: sender },
    } as Request);
  };
  const local = ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'];

  it.each<[what: string, trusted: string[], sender: string, forwarded: string | undefined, address: string]>([
    ['the address of the connection', local, '192.0.2.7', undefined, '192.0.2.7'],
    ["not from a stranger's header", local, '192.0.2.7', '198.51.100.1', '192.0.2.7'],
    ['not from any header if no proxy is trusted', [], '127.0.0.1', '198.51.100.1', '127.0.0.1'],
    ['the address that a proxy saw', local, '127.0.0.1', '198.51.100.1', '198.51.100.1'],
    [
      'the last address that is not a proxy',
      local,
      '127.0.0.1',
      '9.9.9.9, 198.51.100.1, 10.1.2.3',
      '198.51.100.1',
    ],
    [
      'the last address, even if a client invents others',
      local,
      '::1',
      '127.0.0.1, 198.51.100.1',
      '198.51.100.1',
    ],
    ['an address with a port', local, '127.0.0.1', '9.9.9.9:1, 198.51.100.1:51000', '198.51.100.1'],
    ['an IPv6 address with a port', local, '::1', '[2001:db8::7]:51000', '2001:db8::7'],
    ['an IPv6 address in brackets', local, '::1', '[2001:db8::7]', '2001:db8::7'],
    [
      'an address after a trusted proxy with a port',
      local,
      '127.0.0.1',
      '198.51.100.1:1, 10.1.2.3:2',
      '198.51.100.1',
    ],
    ["the proxy's address if a port follows no address", local, '127.0.0.1', 'unknown:51000', '127.0.0.1'],
    ['an IPv6 address', local, '::1', '2001:db8::7', '2001:db8::7'],
    [
      'behind a proxy whose address is written as IPv6',
      local,
      '::ffff:127.0.0.1',
      '2001:db8::7',
      '2001:db8::7',
    ],
    ['behind a proxy of an IPv6 network', local, 'fd12::1', '198.51.100.1', '198.51.100.1'],
    ["the proxy's address if it sends no header", local, '127.0.0.1', undefined, '127.0.0.1'],
    ["the proxy's address if its header contains no address", local, '127.0.0.1', 'unknown', '127.0.0.1'],
    ["the first proxy's address if all are trusted", local, '127.0.0.1', '10.0.0.1', '10.0.0.1'],
  ])('finds the address of a client: %s', (_, trusted, sender, forwarded, address) => {
    expect(from(trusted, sender, forwarded)).toBe(address);
  });
});

describe('X-Forwarded-For from a sender that is not a trusted proxy', () => {
  const warned = async (environment: Record<string, string>) => {
    const log = await startLogged(environment);
    await using server = log.server;
    for (const address of ['198.51.100.1', '198.51.100.2'])
      await fetch(`${server.publicUrl}/livez`, { headers: { 'X-Forwarded-For': address } });
    return log.lines().filter(({ level }) => level === 40);
  };

  it('warns once about X-Forwarded-For from an untrusted proxy, because the clients of that proxy share one limit', async () => {
    for (const environment of [{}, { TOPUP_TRUSTED_PROXIES: '10.0.0.0/8' }])
      expect(await warned({ TOPUP_READS_PER_MINUTE: '9', ...environment })).toMatchObject([
        {
          address: '127.0.0.1',
          msg: expect.stringMatching(/All clients behind it share one limit.*TOPUP_TRUSTED_PROXIES/),
        },
      ]);
  });

  it("doesn't warn about a trusted proxy, or without limits", async () => {
    expect(await warned({ TOPUP_READS_PER_MINUTE: '9', TOPUP_TRUSTED_PROXIES: '127.0.0.1' })).toEqual([]);
    expect(await warned({})).toEqual([]);
  });
});

describe('behind a trusted proxy', () => {
  const environment = { TOPUP_TRUSTED_PROXIES: '127.0.0.1', TOPUP_READS_PER_MINUTE: '2' };
  const visits = async (url: string, addresses: string[]) => {
    const statuses = [];
    for (const address of addresses)
      statuses.push((await fetch(url, { headers: { 'X-Forwarded-For': address } })).status);
    return statuses;
  };

  it('limits each client behind a trusted proxy separately', async () => {
    await using server = await startSandbox(environment);
    const [one, other] = ['198.51.100.1', '198.51.100.2'];
    const visitors = [one, one, one, other, `9.9.9.9, ${one}`];
    expect(await visits(`${server.publicUrl}/pay/nobody/status`, visitors)).toEqual([
      404, 404, 429, 404, 429,
    ]);
  });

  it('treats no request of a trusted proxy as direct, even without a header', async () => {
    await using server = await startSandbox(environment);
    expect((await fetch(`${server.publicUrl}/sandbox`)).status).toBe(401);
  });

  it('ignores the header if no trusted proxy is set, so that no client evades a limit', async () => {
    await using server = await startSandbox({ TOPUP_READS_PER_MINUTE: '2' });
    const visitors = ['198.51.100.1', '198.51.100.2', '198.51.100.3'];
    expect(await visits(`${server.publicUrl}/pay/nobody/status`, visitors)).toEqual([404, 404, 429]);
  });
});
