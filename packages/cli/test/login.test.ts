import { existsSync, statSync, writeFileSync } from 'node:fs';
import { sandboxKey } from '@topup-kit/core/contract';
import { describe, expect, it } from 'vitest';
import { fakeTerminal } from './helpers/fake-terminal.ts';
import { ownConfig } from './helpers/own-config.ts';
import { openTerminal } from './helpers/pseudo-terminal.ts';
import { type RunOptions, run, start } from './helpers/run.ts';
import { closedBaseUrl, ownSandbox, startJsonService } from './helpers/servers.ts';

const server = ownSandbox();

const own = ownConfig();

const topup = (args: string[], options: RunOptions = {}) =>
  run(args, { ...options, environment: { TOPUP_CONFIG: own.path, ...options.environment } });

const wrongKey = 'tk_test_0123456789abcdefghij';

describe('login without a terminal', () => {
  const login = (input: string, baseUrl = server.baseUrl, environment = {}) =>
    topup(['login', '--base-url', baseUrl, '--key-file', '-', '--profile', 'play'], { input, environment });

  it('saves the address and the key in the current profile, and shows no key', async () => {
    const { code, stdout, stderr } = await login(`${sandboxKey}\n`);

    expect(code).toBe(0);
    expect(
      stdout.replace(server.baseUrl, '<base url>').replace(own.path, '<own.path>'),
    ).toMatchInlineSnapshot(`
      "  Profile   play, now in use
        Base URL  <base url>
        Key       ****G1mv, accepted by the service
        Kept in   <own.path>
      "
    `);
    expect(stderr).toMatchInlineSnapshot(`
      "
      To list its games:
        topup games list
      "
    `);
    expect(stdout + stderr).not.toContain(sandboxKey);
    expect(own.kept()).toEqual({
      profile: 'play',
      profiles: { play: { base_url: server.baseUrl, api_key: sandboxKey } },
    });
    expect(statSync(own.path).mode & 0o777).toBe(0o600);
    expect(await topup(['games', 'list'])).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('sandbox'),
    });
  });

  it('exits with 4 and saves no key if the service rejects the key', async () => {
    const { code, stdout, stderr } = await login(wrongKey);

    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain(`Error: ${server.baseUrl} does not accept this key, so nothing was saved.\n`);
    expect(stderr).not.toContain(wrongKey);
    expect(existsSync(own.path)).toBe(false);
  });

  it('keeps the old key if the service rejects the new key', async () => {
    await login(sandboxKey);
    await login(wrongKey);

    expect(own.kept().profiles.play.api_key).toBe(sandboxKey);
  });

  it("saves a key that can't list games", async () => {
    const body = { success: false, message: 'Ditolak.', error_code: 'FORBIDDEN', errors: {} };
    await using service = await startJsonService(403, body);

    expect(await login(wrongKey, service.baseUrl)).toMatchObject({ code: 0 });
  });

  it("exits with 5 and saves nothing if the service doesn't respond", async () => {
    expect(await login(sandboxKey, await closedBaseUrl())).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Nothing was saved.'),
    });
    expect(existsSync(own.path)).toBe(false);
  });

  it('names the variables that override the login', async () => {
    const { stderr } = await login(sandboxKey, server.baseUrl, {
      TOPUP_API_KEY: 'x',
      TOPUP_BASE_URL: 'http://a.test',
    });

    expect(stderr).toContain(
      'TOPUP_BASE_URL and TOPUP_API_KEY are set and take precedence over the profile.',
    );
  });

  it('prints one document with the last characters of the key under --json', async () => {
    const args = ['login', '--base-url', server.baseUrl, '--key-file', '-', '--json'];

    const { stdout, stderr } = await topup(args, { input: sandboxKey });

    expect({ stderr, document: JSON.parse(stdout) }).toEqual({
      stderr: '',
      document: { profile: 'default', base_url: server.baseUrl, api_key: '****G1mv', config_file: own.path },
    });
  });

  it.each([[['login']], [['login', '--base-url', 'http://shop.test/api']], [['login', '--key-file', '-']]])(
    'rejects login %j, exits with 2, and names the accepted values',
    async (args) => {
      expect(await topup(args, { input: wrongKey })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('login needs --base-url, and --key-file with the key.'),
      });
    },
  );
});

describe('login at a terminal', () => {
  it('asks for the address and the key', async () => {
    const terminal = fakeTerminal();
    const { code } = start(['login'], { terminal, environment: { TOPUP_CONFIG: own.path } });

    await terminal.answer('Base URL of the service', `${server.baseUrl}\r`);
    await terminal.answer('Key that the service gave you', `${sandboxKey}\r`);

    expect(await code).toBe(0);
    expect(terminal.shown()).not.toContain(sandboxKey);
    expect(own.kept().profiles.default).toEqual({ base_url: server.baseUrl, api_key: sandboxKey });
  });

  it('asks no question with --no-input', async () => {
    expect(await topup(['login', '--no-input'], { terminal: fakeTerminal() })).toMatchObject({ code: 2 });
  });

  it('asks no question if the key is on stdin', async () => {
    const terminal = fakeTerminal();

    expect(await topup(['login', '--key-file', '-'], { terminal, input: sandboxKey })).toMatchObject({
      code: 2,
    });
    expect(terminal.shown()).not.toContain('Base URL of the service');
  });

  it('prints the expected login screens without showing the key', async () => {
    await using terminal = openTerminal(['login', '--profile', 'play'], {
      environment: { TOPUP_CONFIG: own.path, NO_COLOR: '1' },
    });

    await terminal.until('Base URL of the service');
    terminal.type('shop');
    terminal.press('enter');
    await terminal.until('Enter an http(s) URL');
    terminal.press('backspace', 'backspace', 'backspace', 'backspace');
    terminal.type(server.baseUrl);
    terminal.press('enter');
    await terminal.until('Key that the service gave you');
    terminal.type(sandboxKey);
    terminal.press('enter');

    expect(await terminal.ended).toBe(0);
    expect(
      terminal.screen().replaceAll(server.baseUrl, '<base url>').replaceAll(own.path, '<own.path>'),
    ).toMatchInlineSnapshot(`
      "│
      ◇  Base URL of the service
      │  <base url>
      │
      ◇  Key that the service gave you (not shown)
      │  ▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪
        Profile   play, now in use
        Base URL  <base url>
        Key       ****G1mv, accepted by the service
        Kept in   <own.path>

      To list its games:
        topup games list"
    `);
  });

  it('exits with 130 on Ctrl+C, and saves no login', async () => {
    await using terminal = openTerminal(['login'], { environment: { TOPUP_CONFIG: own.path } });

    await terminal.until('Base URL of the service');
    terminal.press('ctrl+c');

    expect(await terminal.ended).toBe(130);
    expect(existsSync(own.path)).toBe(false);
  });
});

describe('logout', () => {
  it('removes only the key at logout', async () => {
    const shop = { base_url: 'https://shop.example/api', store: 'file:/a.db' };
    writeFileSync(own.path, JSON.stringify({ profiles: { shop: { ...shop, api_key: wrongKey } } }), {
      mode: 0o600,
    });

    expect(await topup(['logout', '--profile', 'shop'])).toEqual({
      code: 0,
      stdout: 'The key of profile shop was removed.\n',
      stderr: 'The key itself still works: revoke it at the service if it is no longer needed.\n',
    });
    expect(own.kept()).toEqual({ profiles: { shop } });
  });

  it('leaves a profile without a key unchanged', async () => {
    expect(await topup(['logout'])).toMatchObject({ code: 0, stdout: 'Profile default has no key.\n' });
    expect(existsSync(own.path)).toBe(false);
  });
});
