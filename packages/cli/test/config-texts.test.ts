import { describe, expect, it } from 'vitest';
import { converse, keys } from './helpers/converse.ts';
import { ownConfig } from './helpers/own-config.ts';
import { type RunOptions, run } from './helpers/run.ts';
import { failureOf } from './helpers/screens.ts';

const own = ownConfig();
const key = 'tk_live_0123456789abcdefghij';
const shop = { base_url: 'https://shop.example/api', api_key: key };

const configured = (environment: Record<string, string> = {}): RunOptions => ({
  environment: { TOPUP_CONFIG: own.path, ...environment },
});
const steady = (text: string): string => text.replaceAll(own.path, '<config>');
const failing = async (args: string[], environment?: Record<string, string>): Promise<string> =>
  steady(await failureOf(['config', ...args], configured(environment)));
const config = (args: string[], environment?: Record<string, string>) =>
  run(['config', ...args], configured(environment));
const document = async (...args: string[]) => JSON.parse((await config([...args, '--json'])).stdout);

describe('config set explains', () => {
  it('explains the base URL in config set', async () => {
    expect(await failing(['set', 'base_url', 'https://shop.example/api?x'])).toMatchInlineSnapshot(`
      "Error: base_url must be an http(s) URL such as https://shop.example/api.
      Leave out credentials, query and fragment.
      exit 2, USAGE"
    `);
  });

  it('explains the store in config set', async () => {
    for (const store of ['topup.db', 'xfile:topup.db', 'file:'])
      expect(await failing(['set', 'store', store])).toMatchInlineSnapshot(`
        "Error: store must be file:PATH, such as file:./data/topup.db; ~ is not expanded.
        It is the file in which a server on this machine keeps its orders.
        exit 2, USAGE"
      `);
  });

  it("explains that the command line can't contain a key", async () => {
    expect(await failing(['set', 'api_key', key])).toMatchInlineSnapshot(`
      "Error: Do not pass a key on the command line, where other users can read it.
      Nothing was saved. If that key is in use, consider replacing it. To save a key:
        topup login
      or from a file, - for stdin:
        topup config set api_key --from-file <file>
      exit 2, USAGE"
    `);
  });

  it('explains how to pass a key without a terminal', async () => {
    own.keep({ profiles: { default: { base_url: shop.base_url } } });
    expect(await failing(['set', 'api_key'])).toMatchInlineSnapshot(`
      "Error: config set api_key reads the key from a file, or asks for it at a terminal.
      From a file, - for stdin:
        topup config set api_key --from-file <file>
      exit 2, USAGE"
    `);
  });

  it('explains that a key needs a service', async () => {
    expect(await failing(['set', 'api_key', '--from-file', '-'])).toMatchInlineSnapshot(`
      "Error: Profile default has no base_url, and each key belongs to one service.
      Set its base_url first, or use \`topup login\`, which saves both.
      exit 2, USAGE"
    `);
  });

  it('explains that --from-file is only for a key, and that other settings need a value', async () => {
    expect(await failing(['set', 'store', '--from-file', 'x'])).toMatchInlineSnapshot(`
      "Error: --from-file is only for api_key.
      exit 2, USAGE"
    `);
    expect(await failing(['set', 'store'])).toMatchInlineSnapshot(`
      "Error: config set store needs a value.
      exit 2, USAGE"
    `);
  });

  it("explains that a key can't move to another service", async () => {
    own.keep({ profiles: { 'other.shop': shop } });
    expect(
      await failing(['set', 'base_url', 'https://other.example/api', '--profile', 'other.shop']),
    ).toMatchInlineSnapshot(`
      "Error: Profile other.shop has a key that belongs to https://shop.example/api only.
      Nothing was changed. Remove the key first, or use another profile for the other service:
        topup logout --profile other.shop
        topup login --profile <name>
      exit 6, KEY_KEPT"
    `);
    expect(await failing(['unset', 'base_url', '--profile', 'other.shop'])).toMatchInlineSnapshot(`
      "Error: Profile other.shop has a key that belongs to https://shop.example/api only.
      Nothing was changed. Remove the key first, or use another profile for the other service:
        topup logout --profile other.shop
        topup login --profile <name>
      exit 6, KEY_KEPT"
    `);
    expect(own.kept().profiles['other.shop']).toEqual(shop);
  });

  it('explains the allowed names of profiles', async () => {
    for (const name of ['two words', 'x'.repeat(65), 'a/b'])
      expect(await failing(['set', 'store', 'file:/a.db', '--profile', name])).toMatchInlineSnapshot(`
        "Error: A profile's name has up to 64 letters, digits, dots, hyphens and underscores.
        exit 2, USAGE"
      `);
    expect(await config(['set', 'store', 'file:/a.db', '--profile', 'x'.repeat(64)])).toMatchObject({
      code: 0,
    });
  });
});

describe('config set', () => {
  it('changes the address within a service if a key is set, and to any service if no key is set', async () => {
    own.keep({
      profiles: { default: shop, empty: { base_url: 'https://a.example' }, key: { api_key: key } },
    });
    for (const name of ['default', 'empty', 'key'])
      expect(
        await config(['set', 'base_url', 'https://shop.example/v2/api', '--profile', name]),
      ).toMatchObject({ code: 0 });
  });

  it('prints a setting for programs, and only the last characters of a key', async () => {
    own.keep({ profiles: { default: { base_url: shop.base_url } } });
    expect(await document('set', 'store', 'file:/a.db')).toEqual({
      ...{ profile: 'default', setting: 'store', value: 'file:/a.db' },
    });
    const { stdout } = await run(['config', 'set', 'api_key', '--from-file', '-', '--json'], {
      ...configured(),
      input: key,
    });
    expect(JSON.parse(stdout)).toEqual({ profile: 'default', setting: 'api_key', value: '****ghij' });
    expect(await document('unset', 'store')).toEqual({ profile: 'default', setting: 'store', value: null });
  });

  it('names the variable that overrides a set value, but not an unset value', async () => {
    const environment = { TOPUP_STORE: 'file:/b.db' };
    expect(await config(['set', 'store', 'file:/a.db'], environment)).toEqual({
      code: 0,
      stdout: 'Profile default sets store to file:/a.db.\n',
      stderr: 'TOPUP_STORE is set and takes precedence over the profile.\n',
    });
    expect(await config(['unset', 'store'], environment)).toEqual({
      code: 0,
      stdout: 'Profile default no longer sets store.\n',
      stderr: '',
    });
  });

  it('asks for a key at a terminal until it is valid', async () => {
    own.keep({ profiles: { default: { base_url: shop.base_url } } });
    const { code, stdout } = await converse(
      ['config', 'set', 'api_key'],
      [
        ['Key that the service gave you', `two words${keys.enter}`],
        ['Enter the complete key, without spaces', `${'\u007f'.repeat(9)}${key}${keys.enter}`],
      ],
      configured(),
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Profile default sets api_key to ****ghij.\n' });
  });
});

describe('config use', () => {
  it('names the existing profiles for an unknown profile', async () => {
    expect(await failing(['use', 'shop'])).toMatchInlineSnapshot(`
      "Error: Unknown profile "shop".
      <config> has no profile yet. To make one: \`topup login --profile <name>\`.
      exit 2, USAGE"
    `);
    own.keep({ profiles: { shop, play: {} } });
    expect(await failing(['use', 'tk_live_0123456789abcdefghij'])).toMatchInlineSnapshot(`
      "Error: Unknown profile "****ghij".
      <config> has shop, play. To make one: \`topup login --profile <name>\`.
      exit 2, USAGE"
    `);
  });

  it('reports that a variable overrides config use', async () => {
    own.keep({ profiles: { shop } });
    expect(await config(['use', 'shop'])).toEqual({
      ...{ code: 0, stdout: 'Profile shop is now in use.\n', stderr: '' },
    });
    expect((await config(['use', 'shop'], { TOPUP_PROFILE: 'shop' })).stderr).toBe(
      'TOPUP_PROFILE is set and takes precedence.\n',
    );
    expect(await document('use', 'shop')).toEqual({ profile: 'shop' });
  });
});

describe('config remove', () => {
  it('rejects the removal of an unknown profile', async () => {
    own.keep({ profiles: { shop } });
    expect(await failing(['remove', 'shp'])).toMatchInlineSnapshot(`
      "Error: Unknown profile "shp".
      <config> has shop. To make one: \`topup login --profile <name>\`.
      exit 2, USAGE"
    `);
  });

  it('names the settings that are lost when a profile is removed', async () => {
    own.keep({ profiles: { shop, play: { store: 'file:/a.db' } } });
    expect(await failing(['remove', 'shop'])).toMatchInlineSnapshot(`
      "Error: This needs --yes: Profile shop will be deleted, with its settings and its key.
      Nothing was done.
      exit 2, USAGE"
    `);
    expect(await failing(['remove', 'play'])).toMatchInlineSnapshot(`
      "Error: This needs --yes: Profile play will be deleted, with its settings.
      Nothing was done.
      exit 2, USAGE"
    `);
  });

  it('keeps the current profile unless it is the profile that was removed', async () => {
    own.keep({ profile: 'shop', profiles: { shop, play: {}, third: {} } });
    expect(await document('remove', 'play', '--yes')).toEqual({ removed: 'play' });
    expect(own.kept()).toEqual({ profile: 'shop', profiles: { shop, third: {} } });
    expect(await config(['remove', 'shop', '--yes'])).toEqual({
      ...{ code: 0, stdout: 'Profile shop is removed.\n', stderr: '' },
    });
    expect(own.kept()).toEqual({ profiles: { third: {} } });
  });
});

describe('config profiles', () => {
  it('lists profiles with the last characters of each key', async () => {
    own.keep({
      profile: 'shop',
      profiles: { shop, play: { base_url: 'http://user:secret@play.test', store: 'postgres://u:p@db/shop' } },
    });
    expect((await config(['profiles'])).stdout).toMatchInlineSnapshot(`
      "PROFILE  BASE URL                  KEY       STORE                    NOW
      shop     https://shop.example/api  ****ghij                           in use
      play     http://****@play.test               postgres://****@db/shop
      "
    `);
    expect(await document('profiles')).toMatchInlineSnapshot(`
      {
        "profiles": [
          {
            "api_key": "****ghij",
            "base_url": "https://shop.example/api",
            "in_use": true,
            "name": "shop",
            "store": null,
          },
          {
            "api_key": null,
            "base_url": "http://****@play.test",
            "in_use": false,
            "name": "play",
            "store": "postgres://****@db/shop",
          },
        ],
      }
    `);
    expect((await config(['profiles', '--quiet'])).stdout).toBe('shop\nplay\n');
  });

  it('lists no profiles initially', async () => {
    expect(await config(['profiles'])).toEqual({
      ...{ code: 0, stdout: '', stderr: `No profiles in ${own.path} yet. To make one:\n  topup login\n` },
    });
    own.keep({ profiles: { play: {} } });
    expect((await config(['profiles'])).stderr).toBe('');
  });
});

describe('config list', () => {
  it('shows the defaults of settings that are not set', async () => {
    own.keep({ profiles: { default: { base_url: 'https://shop.example/api' } } });
    expect(steady((await config(['list'])).stdout).replaceAll(/ {2,}/g, '  ')).toMatchInlineSnapshot(`
      "SETTING  VALUE  FROM
      config_file  <config>  TOPUP_CONFIG
      profile  default  default
      base_url  https://shop.example/api  profile default
      api_key  none
      store  file:./data/topup.db  default
      "
    `);
    expect((await document('list')).api_key).toEqual({ value: null, from: null });
  });

  it('shows the sandbox key only for this machine', async () => {
    expect((await document('list')).api_key).toEqual({ value: '****G1mv', from: 'default' });
    const elsewhere = await config(['list', '--json'], { TOPUP_BASE_URL: 'not a URL' });
    expect(JSON.parse(elsewhere.stdout).api_key).toEqual({ value: null, from: null });
  });

  it("reports a named profile that doesn't exist", async () => {
    const { stdout } = await config(['list', '--json'], { TOPUP_PROFILE: 'shop' });
    expect(JSON.parse(stdout).profile).toEqual({ value: 'shop', from: 'TOPUP_PROFILE, but there is none' });
  });
});

describe('config get', () => {
  it('explains how to set an unset setting', async () => {
    own.keep({ profiles: { default: { base_url: 'https://shop.example/api' } } });
    expect(await failing(['get', 'api_key'])).toMatchInlineSnapshot(`
      "Error: Nothing sets api_key.
      Set a key with \`topup login\`, any other setting with \`topup config set\`.
      exit 3, NOT_SET"
    `);
  });

  it.each([
    ['profile', 'default', 'default'],
    ['base_url', 'http://127.0.0.1:4000/api', 'default'],
    ['store', 'file:./data/topup.db', 'default'],
  ])('shows the source of %s', async (setting, value, from) => {
    expect(await document('get', setting)).toEqual({ setting, value, from });
  });
});

describe('the config file', () => {
  const path = async (environment: Record<string, string>) => {
    const { stdout } = await run(['config', 'path'], { environment });
    return stdout.trim();
  };

  it('uses the standard folder for the config file', async () => {
    expect(await path({ HOME: '/home/ani' })).toBe('/home/ani/.config/topup/config.json');
    expect(await path({ HOME: '/home/ani', XDG_CONFIG_HOME: '/etc/x' })).toBe('/etc/x/topup/config.json');
    // Relative paths are ignored, as the standard of these folders says.
    expect(await path({ HOME: '/home/ani', XDG_CONFIG_HOME: 'etc' })).toBe(
      '/home/ani/.config/topup/config.json',
    );
    expect(await path({ HOME: '', USERPROFILE: '/users/ani' })).toBe('/users/ani/.config/topup/config.json');
    expect(await document('path')).toEqual({ config_file: own.path });
  });

  it.each([
    [{ TOPUP_CONFIG: '/c.json' }, 'TOPUP_CONFIG'],
    [{ XDG_CONFIG_HOME: '/x' }, 'XDG_CONFIG_HOME'],
    [{}, 'default'],
  ])('reports that %j was read from %s', async (environment: Record<string, string>, from) => {
    const { stdout } = await run(['config', 'list', '--json'], {
      environment: { HOME: '/none', ...environment },
    });
    expect(JSON.parse(stdout).config_file.from).toBe(from);
  });
});
