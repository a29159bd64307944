import { sandboxKey } from '@topup-kit/core/contract';
import { describe, expect, it } from 'vitest';
import { run } from './helpers/run.ts';
import { startKeyTeller } from './helpers/servers.ts';

describe('the service that is asked, and its key', () => {
  it('uses and names the well-known key if no key is set on this machine', async () => {
    const keys: unknown[] = [];
    await using service = await startKeyTeller(keys);

    const { stderr } = await run(['games', 'list'], { environment: { TOPUP_BASE_URL: service.baseUrl } });

    // Once for the games, once for what the sandbox simulates.
    expect(keys).toEqual([sandboxKey, sandboxKey]);
    expect(stderr).toContain(`Using the sandbox at ${service.baseUrl} with its well-known key.\n`);
  });

  it("finds and names this machine's server from a server's settings", async () => {
    await using service = await startKeyTeller([]);
    const { port } = new URL(service.baseUrl);

    const { code, stderr } = await run(['games', 'list'], {
      environment: { PORT: port, TOPUP_STORE: 'file:./shop.db', TOPUP_PUBLIC_URL: 'https://shop.example' },
    });

    expect([code, service.asked[0]]).toEqual([0, 'GET /api/games']);
    expect(stderr).toContain(`Using the server at ${service.baseUrl} (PORT of the server's settings)`);
    expect(stderr).toContain('Set TOPUP_BASE_URL for another server, and TOPUP_API_KEY for another key.');
  });

  it('uses the default sandbox when another program has the port in PORT', async () => {
    const { stderr } = await run(['games', 'list'], { environment: { PORT: '9' } });

    expect(stderr).toContain('Using the sandbox at http://127.0.0.1:4000/api');
  });

  it("doesn't name the service in output for programs", async () => {
    await using service = await startKeyTeller([]);

    const { stdout, stderr } = await run(['games', 'list', '--json', '--base-url', service.baseUrl]);

    expect(JSON.parse(stdout)).toEqual({ success: true, games: [], populerGames: [] });
    expect(stderr).toBe('');
  });

  it('uses TOPUP_API_KEY as the key without mentioning a sandbox', async () => {
    const keys: unknown[] = [];
    await using service = await startKeyTeller(keys);

    const { stderr } = await run(['games', 'list', '--base-url', service.baseUrl], {
      environment: { TOPUP_API_KEY: 'tk_live_mine' },
    });

    expect(keys).toEqual(['tk_live_mine']);
    expect(stderr).not.toContain('sandbox');
  });

  it('prefers --base-url to TOPUP_BASE_URL, even if the flag is before the noun', async () => {
    await using service = await startKeyTeller([]);
    const environment = { TOPUP_BASE_URL: 'http://127.0.0.1:9/api' };

    expect(await run(['--base-url', service.baseUrl, 'games', 'list'], { environment })).toMatchObject({
      code: 0,
    });
    expect(service.asked).toEqual(['GET /api/games', 'GET /sandbox']);
  });

  it('sends no request to another machine without a key', async () => {
    const environment = { TOPUP_BASE_URL: 'http://shop.test/api', TOPUP_API_KEY: '' };

    expect(await run(['games', 'list'], { environment })).toEqual({
      code: 4,
      stdout: '',
      stderr:
        'Error: No key for http://shop.test, so nothing was sent.\n' +
        'Set TOPUP_API_KEY to your key, name a file with --key-file, or save the key in a profile with `topup login`.\n',
    });
  });

  it.each([
    ['not a URL', 'shop'],
    ['neither http nor https', 'ftp://127.0.0.1/api'],
    ['with a query', 'http://127.0.0.1/api?key=1'],
  ])('rejects a base URL that is %s', async (_case, baseUrl) => {
    const { code, stderr } = await run(['games', 'list', '--base-url', baseUrl]);

    expect(code).toBe(2);
    expect(stderr).toContain('Error: --base-url must be an http(s) URL such as https://shop.example/api.\n');
  });
});
