import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeTerminal } from './helpers/fake-terminal.ts';
import { ownConfig } from './helpers/own-config.ts';
import { run, start } from './helpers/run.ts';

const key = 'tk_live_0123456789abcdefghij';

const own = ownConfig();

const config = (args: string[], environment: Record<string, string> = {}, input = '') =>
  run(['config', ...args], { environment: { TOPUP_CONFIG: own.path, ...environment }, input });

const steady = (text: string): string => text.replaceAll(own.path, '<own.path>');

describe('config list', () => {
  it('shows every setting with its source, but only the last characters of a key', async () => {
    own.keep({ profile: 'shop', profiles: { shop: { base_url: 'https://shop.example/api', api_key: key } } });

    const { code, stdout } = await config(['list'], { TOPUP_STORE: 'file:/srv/topup.db' });

    expect(code).toBe(0);
    expect(stdout.replace(own.path, '/config.json'.padEnd(own.path.length))).toContain('profile');
    expect(steady(stdout).replaceAll(/ {2,}/g, '  ')).toMatchInlineSnapshot(`
      "SETTING  VALUE  FROM
      config_file  <own.path>  TOPUP_CONFIG
      profile  shop  config file
      base_url  https://shop.example/api  profile shop
      api_key  ****ghij  profile shop
      store  file:/srv/topup.db  TOPUP_STORE
      "
    `);
  });

  it('shows no part of a short key', async () => {
    own.keep({ profiles: { default: { base_url: 'https://shop.example/api', api_key: 'short-key' } } });

    const { stdout } = await config(['list', '--json', '--fields', 'api_key']);

    expect(JSON.parse(stdout)).toEqual({ api_key: { value: '****', from: 'profile default' } });
  });
});

describe('config get', () => {
  it("prints only a setting's value", async () => {
    own.keep({ profiles: { default: { store: 'file:/srv/topup.db' } } });

    expect(await config(['get', 'store'])).toEqual({ code: 0, stdout: 'file:/srv/topup.db\n', stderr: '' });
  });

  it('prints only the last characters of a key for config get', async () => {
    own.keep({ profiles: { default: { base_url: 'https://shop.example/api', api_key: key } } });

    expect((await config(['get', 'api_key'])).stdout).toBe('****ghij\n');
  });

  it('exits with 3 for an unset setting', async () => {
    own.keep({ profiles: { default: { base_url: 'https://shop.example/api' } } });

    expect(await config(['get', 'api_key'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Nothing sets api_key.'),
    });
  });
});

describe('config get store', () => {
  it.each([
    ['postgres://topup:pa%2Fss@db:5432/shop', 'postgres://****@db:5432/shop'],
    ['postgres://topup:pass#word@db/shop', 'postgres://****@db/shop'],
    ['postgres://topup:pass?word@db/shop', 'postgres://****@db/shop'],
    ['postgres://topup:se@cret/x@db/shop', 'postgres://****@db/shop'],
    ['postgres://db/shop?user=topup&password=secret', 'postgres://db/shop?user=topup&password=****'],
    ['postgres://topup:secret', 'postgres://****'],
    ['topup:secret@db/shop', '****@db/shop'],
    ['postgres://db:5432/shop', 'postgres://db:5432/shop'],
    ['file:/srv/shop@home/topup.db', 'file:/srv/shop@home/topup.db'],
  ])('hides the password of %s: %s', async (TOPUP_STORE, shown) => {
    const { code, stdout } = await config(['get', 'store'], { TOPUP_STORE });
    expect([code, stdout]).toEqual([0, `${shown}\n`]);
  });
});

describe('config set', () => {
  it('creates a profile without changing others', async () => {
    own.keep({ profiles: { other: { store: 'file:/a.db' } } });

    expect(await config(['set', 'base_url', 'https://shop.example/api', '--profile', 'shop'])).toEqual({
      code: 0,
      stdout: 'Profile shop sets base_url to https://shop.example/api.\n',
      stderr: '',
    });
    expect(own.kept()).toEqual({
      profiles: { other: { store: 'file:/a.db' }, shop: { base_url: 'https://shop.example/api' } },
    });
  });

  it('stores the full path of a store', async () => {
    await config(['set', 'store', 'file:./data/x.db']);

    expect(own.kept()).toEqual({ profiles: { default: { store: `file:${resolve('data/x.db')}` } } });
  });

  it.each([
    ['base_url', 'shop'],
    ['base_url', 'ftp://shop.example'],
    ['base_url', 'https://user:secret@shop.example/api'],
    ['base_url', 'https://shop.example/api?'],
    ['store', './topup.db'],
    ['store', 'file:'],
    ['store', 'memory:'],
  ])('rejects the value %s for %s', async (name, value) => {
    expect(await config(['set', name, value])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${name} must be`),
    });
  });

  it('rejects a key on the command line without repeating it', async () => {
    const { code, stdout, stderr } = await config(['set', 'api_key', key]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toContain(key);
    expect(stderr).toContain('config set api_key --from-file <file>');
  });

  it('reads a key from stdin for a profile with a base URL', async () => {
    own.keep({ profiles: { default: { base_url: 'https://shop.example/api' } } });

    const { stdout } = await config(['set', 'api_key', '--from-file', '-'], {}, `${key}\n`);

    expect(stdout).toBe('Profile default sets api_key to ****ghij.\n');
    expect(own.kept().profiles.default.api_key).toBe(key);
  });

  it('rejects a key without a service', async () => {
    expect(await config(['set', 'api_key', '--from-file', '-'], {}, key)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no base_url, and each key belongs to one service'),
    });
  });

  it.each([[['set', 'base_url', 'https://other.example/api']], [['unset', 'base_url']]])(
    'rejects %j, because it would send a stored key to another service',
    async (args) => {
      own.keep({ profiles: { default: { base_url: 'https://shop.example/api', api_key: key } } });

      const { code, stderr } = await config(args);

      expect(code).toBe(6);
      expect(stderr).toContain('Profile default has a key that belongs to https://shop.example/api only.');
      expect(own.kept().profiles.default).toEqual({ base_url: 'https://shop.example/api', api_key: key });
    },
  );

  it('keeps the key when the new address belongs to the same service', async () => {
    own.keep({ profiles: { default: { base_url: 'https://shop.example/api', api_key: key } } });

    expect(await config(['set', 'base_url', 'https://shop.example/v2/api'])).toMatchObject({ code: 0 });
  });

  it('reports that a variable overrides a set value', async () => {
    const { stderr } = await config(['set', 'base_url', 'https://a.test'], {
      TOPUP_BASE_URL: 'https://b.test',
    });

    expect(stderr).toBe('TOPUP_BASE_URL is set and takes precedence over the profile.\n');
  });

  it.each(['__proto__', 'a b', '', 'x'.repeat(65)])("rejects %j as a profile's name", async (name) => {
    expect(await config(['set', 'store', 'file:/a.db', '--profile', name])).toMatchObject({ code: 2 });
  });

  it('rejects a flag that names a service', async () => {
    expect(await config(['set', 'store', 'file:/a.db', '--base-url', 'https://a.test'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('config set contacts no service'),
    });
  });
});

describe('config unset', () => {
  it('removes a single setting with config unset', async () => {
    own.keep({ profiles: { default: { base_url: 'https://a.test', store: 'file:/a.db' } } });

    expect((await config(['unset', 'store'])).stdout).toBe('Profile default no longer sets store.\n');
    expect(own.kept()).toEqual({ profiles: { default: { base_url: 'https://a.test' } } });
  });

  it('exits with 2 for an unknown profile', async () => {
    expect(await config(['unset', 'store', '--profile', 'shop'])).toMatchObject({ code: 2 });
  });
});

describe('profiles', () => {
  const two = {
    profile: 'shop',
    profiles: { shop: { base_url: 'https://shop.example/api', api_key: key }, play: { store: 'file:/a.db' } },
  };

  it('lists profiles and marks the current one', async () => {
    own.keep(two);

    expect((await config(['profiles'])).stdout).toMatchInlineSnapshot(`
      "PROFILE  BASE URL                  KEY       STORE       NOW
      shop     https://shop.example/api  ****ghij              in use
      play                                         file:/a.db
      "
    `);
    expect((await config(['profiles', '--quiet'])).stdout).toBe('shop\nplay\n');
  });

  it('says when there are no profiles', async () => {
    expect(await config(['profiles'])).toMatchObject({ code: 0, stdout: '' });
  });

  it('changes the current profile', async () => {
    own.keep(two);

    expect((await config(['use', 'play'])).stdout).toBe('Profile play is now in use.\n');
    expect(own.kept().profile).toBe('play');
    expect(await config(['use', 'none'])).toMatchObject({ code: 2 });
  });

  it('removes a profile with --yes, and then uses the default profile', async () => {
    own.keep(two);

    expect(await config(['remove', 'shop'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('This needs --yes: Profile shop'),
    });
    expect(await config(['remove', 'shop', '--yes'])).toMatchObject({
      code: 0,
      stdout: 'Profile shop is removed.\n',
    });
    expect(own.kept()).toEqual({ profiles: { play: { store: 'file:/a.db' } } });
  });

  it('keeps a profile when the user declines', async () => {
    own.keep(two);
    const terminal = fakeTerminal();
    const { code, written } = start(['config', 'remove', 'shop'], {
      terminal,
      environment: { TOPUP_CONFIG: own.path },
    });

    await terminal.answer('will be deleted, with its settings and its key. Go on?', 'n');

    expect(await code).toBe(1);
    expect(written).toMatchObject({ stdout: '', stderr: 'Error: Nothing was done.\n' });
    expect(own.kept()).toEqual(two);
  });
});

describe("a profile that doesn't exist", () => {
  it.each([
    ['--profile', ['games', 'list', '--profile', 'shp'], {}, '"shp" (--profile)'],
    ['TOPUP_PROFILE', ['games', 'list'], { TOPUP_PROFILE: 'shp' }, '"shp" (TOPUP_PROFILE)'],
    ['the config file', ['games', 'list'], {}, '"shp" (the one in use)'],
  ])(
    'names the source of a missing profile: %s',
    async (_case, args, environment: Record<string, string>, words) => {
      own.keep({ ...(words.includes('in use') && { profile: 'shp' }), profiles: { shop: {} } });

      const { code, stderr } = await run(args, { environment: { TOPUP_CONFIG: own.path, ...environment } });

      expect(code).toBe(2);
      expect(steady(stderr)).toBe(
        `Error: Unknown profile ${words}.\n<own.path> has shop. To make one: \`topup login --profile <name>\`.\n`,
      );
    },
  );

  it('shows a missing profile in config list', async () => {
    own.keep({ profile: 'shp', profiles: {} });

    const { code, stdout } = await config(['list', '--json']);

    expect(code).toBe(0);
    expect(JSON.parse(stdout).profile).toEqual({ value: 'shp', from: 'config file, but there is none' });
  });
});

describe('secrets in a base URL', () => {
  const url = 'https://ana:secret@shop.example/api';

  it('masks secrets in a base URL in config list', async () => {
    const { stdout } = await config(['list'], { TOPUP_BASE_URL: url });

    expect(stdout).toContain('https://****@shop.example/api');
    expect(stdout).not.toContain('secret');
  });

  it('masks secrets in a base URL in config profiles and in errors', async () => {
    own.keep({ profile: 'shop', profiles: { shop: { base_url: url, api_key: key } } });

    const { stdout } = await config(['profiles']);
    const { stderr } = await config(['set', 'base_url', 'https://other.example/api']);

    expect(stdout).toContain('https://****@shop.example/api');
    expect(stderr).toContain('belongs to https://****@shop.example/api only');
  });
});

describe('config set api_key without a value', () => {
  it('asks for a key at a terminal without echoing it', async () => {
    own.keep({ profiles: { default: { base_url: 'https://shop.example/api' } } });
    const terminal = fakeTerminal();

    const { code } = start(['config', 'set', 'api_key'], {
      environment: { TOPUP_CONFIG: own.path },
      terminal,
    });
    await terminal.answer('Key that the service gave you', `${key}\r`);

    expect(await code).toBe(0);
    expect(own.kept().profiles.default.api_key).toBe(key);
    expect(terminal.shown()).not.toContain(key);
  });

  it('suggests --from-file for a key without a terminal', async () => {
    own.keep({ profiles: { default: { base_url: 'https://shop.example/api' } } });

    const { code, stderr } = await config(['set', 'api_key']);

    expect(code).toBe(2);
    expect(stderr).toContain('topup config set api_key --from-file <file>');
    expect(stderr).not.toContain('command line');
  });
});

it('hides a key that is typed at a terminal as standard input', async () => {
  own.keep({ profiles: { default: { base_url: 'https://shop.example/api' } } });
  const terminal = fakeTerminal();

  const { code } = start(['config', 'set', 'api_key', '--from-file', '-'], {
    environment: { TOPUP_CONFIG: own.path },
    terminal,
  });
  await terminal.answer('not shown', `${key}\r`);

  expect(await code).toBe(0);
  expect(own.kept().profiles.default.api_key).toBe(key);
  expect(terminal.shown()).not.toContain(key);
});

it('fits config list into 60 columns', async () => {
  own.keep({ profile: 'shop', profiles: { shop: { store: `file:/srv/${'long/'.repeat(20)}topup.db` } } });

  const { stdout } = await run(['config', 'list'], { columns: 60, environment: { TOPUP_CONFIG: own.path } });

  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
});

describe("a text that can't be a key", () => {
  const bad = 'tk_live_\n0123456789';

  it.each([
    ['TOPUP_API_KEY', { TOPUP_API_KEY: bad }, {}],
    ['profile default', {}, { default: { base_url: 'http://127.0.0.1:9/api', api_key: bad } }],
  ])(
    'rejects an invalid key before any request: %s',
    async (source, environment: Record<string, string>, profiles) => {
      own.keep({ profiles });

      for (const args of [
        ['games', 'list'],
        ['sandbox', 'status'],
        ['orders', 'show', 'INV-1'],
      ])
        expect(
          await run([...args, '--base-url', 'http://127.0.0.1:9/api'], {
            environment: { TOPUP_CONFIG: own.path, ...environment },
          }),
        ).toEqual({
          code: 2,
          stdout: '',
          stderr: `Error: The key of ${source} is not valid.\nA key is visible ASCII characters without spaces or line breaks. Copy the whole key again.\n`,
        });
    },
  );
});
