import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { hurriedClock } from '../../../test/hurry.ts';
import { changeConfig } from '../src/config/edit.ts';
import { ownConfig } from './helpers/own-config.ts';
import { home, run, until } from './helpers/run.ts';
import { startKeyTeller } from './helpers/servers.ts';

const key = 'tk_live_0123456789abcdefghij';

const own = ownConfig();

const topup = (args: string[], environment: Record<string, string> = {}) =>
  run(args, { environment: { TOPUP_CONFIG: own.path, ...environment } });

/** The entry of a setting in `config list`. */
async function listed(setting: string, args: string[] = [], environment: Record<string, string> = {}) {
  const { stdout } = await topup(['config', 'list', '--json', ...args], environment);
  return JSON.parse(stdout)[setting];
}

describe('a flag overrides the environment, which overrides the profile, which overrides the default', () => {
  const profiles = { default: { base_url: 'http://profile.test/api' } };
  const environment = { TOPUP_BASE_URL: 'http://environment.test/api' };

  it('finds the base URL by precedence', async () => {
    expect(await listed('base_url')).toEqual({ value: 'http://127.0.0.1:4000/api', from: 'default' });
    own.keep({ profiles });
    expect(await listed('base_url')).toEqual({ value: 'http://profile.test/api', from: 'profile default' });
    expect(await listed('base_url', [], environment)).toEqual({
      value: 'http://environment.test/api',
      from: 'TOPUP_BASE_URL',
    });
    expect(await listed('base_url', ['--base-url', 'http://flag.test/api'], environment)).toEqual({
      value: 'http://flag.test/api',
      from: '--base-url',
    });
  });

  it('finds the store by precedence', async () => {
    expect(await listed('store')).toEqual({ value: 'file:./data/topup.db', from: 'default' });
    const [profile, variable, flag] = ['profile.db', 'variable.db', 'flag.db'].map(own.fileIn);
    own.keep({ profiles: { default: { store: `file:${profile}` } } });
    const environment = { TOPUP_STORE: `file:${variable}` };
    expect(await listed('store')).toEqual({ value: `file:${profile}`, from: 'profile default' });
    expect(await listed('store', [], environment)).toEqual({
      ...{ value: `file:${variable}`, from: 'TOPUP_STORE' },
    });
    expect((await topup(['keys', 'list'])).stderr).toContain(`There is no store at ${profile}.`);
    expect((await topup(['keys', 'list'], environment)).stderr).toContain(`${variable}.`);
    expect((await topup(['keys', 'list', '--store', `file:${flag}`], environment)).stderr).toContain(
      `${flag}.`,
    );
  });

  it('names the source of an invalid value', async () => {
    const bad = (source: string) => ({
      code: 2,
      stderr: expect.stringContaining(`Error: ${source} must be file:PATH`),
    });

    expect(await topup(['keys', 'list'], { TOPUP_STORE: 'topup.db' })).toMatchObject(bad('TOPUP_STORE'));
    own.keep({ profiles: { default: { store: 'topup.db' } } });
    expect(await topup(['keys', 'list'])).toMatchObject(bad('profile default'));
    expect(await topup(['keys', 'list', '--store', 'x'])).toMatchObject(bad('--store'));
  });

  it('sends the key with the highest precedence', async () => {
    const keys: unknown[] = [];
    await using service = await startKeyTeller(keys);
    own.keep({ profiles: { default: { base_url: service.baseUrl, api_key: 'profile-key' } } });
    writeFileSync(own.fileIn('key'), 'flag-key\n');
    const fromEnvironment = { TOPUP_API_KEY: 'environment-key' };

    await topup(['games', 'list']);
    await topup(['games', 'list'], fromEnvironment);
    await topup(['games', 'list', '--key-file', own.fileIn('key')], fromEnvironment);

    expect(keys).toEqual(['profile-key', 'environment-key', 'flag-key']);
  });

  it('finds the profile by precedence', async () => {
    own.keep({ profile: 'kept', profiles: { kept: {}, variable: {}, flag: {} } });
    const variable = { TOPUP_PROFILE: 'variable' };

    expect(await listed('profile')).toEqual({ value: 'kept', from: 'config file' });
    expect(await listed('profile', [], variable)).toEqual({ value: 'variable', from: 'TOPUP_PROFILE' });
    expect(await listed('profile', ['--profile', 'flag'], variable)).toEqual({
      value: 'flag',
      from: '--profile',
    });
  });

  it('exits with 2 for an unknown profile, and lists the existing profiles', async () => {
    own.keep({ profiles: { shop: {}, play: {} } });

    expect(await topup(['games', 'list', '--profile', 'shp'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'Error: Unknown profile "shp" (--profile).\n' +
        `${own.path} has shop, play. To make one: \`topup login --profile <name>\`.\n`,
    });
  });

  it.each(['constructor', 'toString', '__proto__'])('rejects the profile %s', async (name) => {
    own.keep({ profiles: {} });

    expect(await topup(['keys', 'list', '--profile', name])).toMatchObject({ code: 2 });
  });
});

describe("a profile's key", () => {
  it("sends a profile's key only to the origin of the profile's base URL", async () => {
    const keys: unknown[] = [];
    await using its = await startKeyTeller(keys);
    await using other = await startKeyTeller(keys);
    own.keep({ profiles: { default: { base_url: its.baseUrl, api_key: key } } });

    await topup(['games', 'list', '--base-url', other.baseUrl]);
    await topup(['games', 'list'], { TOPUP_BASE_URL: other.baseUrl });
    await topup(['games', 'list', '--base-url', its.baseUrl.replace('/api', '/v2')]);

    expect(keys.pop()).toBe(key);
    // Elsewhere the sandbox's well-known key, also to ask whether it is a sandbox.
    expect(new Set(keys)).toEqual(new Set([expect.stringMatching(/^tk_test_/)]));
    expect(keys.length).toBeGreaterThanOrEqual(2);
  });

  it("doesn't send a profile's key to another origin, and exits with 4", async () => {
    own.keep({ profiles: { default: { base_url: 'http://own.test/api', api_key: key } } });

    const { code, stderr } = await topup(['games', 'list', '--base-url', 'http://other.test/api']);

    expect(code).toBe(4);
    expect(stderr).toContain('No key for http://other.test, so nothing was sent.');
    expect(stderr).toContain('The key of profile default is only for its own base URL.');
  });

  it("ignores a profile's key without a base URL", async () => {
    own.keep({ profiles: { default: { api_key: key } } });

    expect((await topup(['config', 'list'])).stdout).not.toContain(key.slice(-4));
  });
});

describe('--key-file', () => {
  it('reads the key from stdin for --key-file -', async () => {
    const keys: unknown[] = [];
    await using service = await startKeyTeller(keys);

    await run(['games', 'list', '--base-url', service.baseUrl, '--key-file', '-'], { input: `${key}\r\n` });

    expect(keys).toEqual([key]);
  });

  it.each([
    ['is empty', '\n', 'is empty'],
    ['contains two lines', `${key}\n${key}\n`, 'contains no key'],
  ])('exits with 2 for a key file that %s, without showing the key', async (_case, input, message) => {
    const { code, stderr } = await run(['games', 'list', '--key-file', '-'], { input });

    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain(key);
  });

  it('exits with 2 for a missing key file', async () => {
    expect(await topup(['games', 'list', '--key-file', own.fileIn('none')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("can't be read: ENOENT"),
    });
  });
});

describe('the config file', () => {
  it.each(['644', '640', '660', '604'])(
    'rejects a config file with mode %s, and explains the fix',
    async (mode) => {
      own.keep({ profiles: { default: { api_key: key } } });
      chmodSync(own.path, Number.parseInt(mode, 8));

      const { code, stdout, stderr } = await topup(['games', 'list']);

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toBe(
        `Error: ${own.path} can be read or changed by other users of this machine, so its keys are not used.\n` +
          `Restrict its permissions, and consider replacing the keys:\n  chmod 600 ${own.path}\n`,
      );
    },
  );

  it.each([
    ['no JSON', `{"profiles": {"a": {"api_key": "${key}"`, 'is not JSON.'],
    ['no object', [key], ': it must be an object.'],
    ['an unknown setting', { apikey: key }, ': apikey is an unknown setting.'],
    [
      'an unknown setting of a profile',
      { profiles: { a: { key } } },
      ': profiles.a.key is an unknown setting; known: base_url, api_key, store.',
    ],
    ['a number', { profiles: { a: { api_key: 1 } } }, ': profiles.a.api_key takes a text.'],
    ['a list of profiles', { profiles: [key] }, ': profiles must be an object.'],
    ['a profile that is a text', { profiles: { a: key } }, ': profiles.a must be an object.'],
    [
      'a key for a setting',
      { profiles: { a: { [key]: 'x' } } },
      ': profiles.a.tk_live_… is an unknown setting',
    ],
    ['a key for a profile', { profiles: { [key]: 'x' } }, ': profiles.tk_live_… must be an object.'],
    [
      'a profile __proto__',
      '{"profiles": {"__proto__": {}}}',
      ': profiles.__proto__ is not a valid name of a profile.',
    ],
  ])(
    'exits with 1 for a config file with %s, and shows the place but not the key',
    async (_case, config, message) => {
      own.keep(config);

      const { code, stderr } = await topup(['config', 'list']);

      expect(code).toBe(1);
      expect(stderr).toContain(own.path + (message.startsWith(':') ? '' : ' ') + message);
      expect(stderr).not.toContain(key);
      expect(stderr).toContain('Fix it by hand, or move it away and start again with `topup login`.');
    },
  );

  it('exits with 1 for a folder as the config file', async () => {
    mkdirSync(own.path);

    expect(await topup(['config', 'list'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("can't be read: EISDIR"),
    });
  });

  it.each(['', '\n'])('accepts an empty config file: %j', async (text) => {
    own.keep(text);

    expect(await listed('profile')).toEqual({ value: 'default', from: 'default' });
  });

  it('accepts /dev/null as an empty configuration', async () => {
    expect(await topup(['config', 'list'], { TOPUP_CONFIG: '/dev/null' })).toMatchObject({ code: 0 });
  });

  it.each([
    ['TOPUP_CONFIG', { TOPUP_CONFIG: '/a/b.json', XDG_CONFIG_HOME: '/x', HOME: '/h' }, '/a/b.json'],
    ['XDG_CONFIG_HOME', { XDG_CONFIG_HOME: '/x', HOME: '/h' }, '/x/topup/config.json'],
    ['HOME', { HOME: '/h' }, '/h/.config/topup/config.json'],
  ])('finds the config file through %s', async (_case, environment, expected) => {
    expect((await run(['config', 'path'], { environment })).stdout).toBe(`${expected}\n`);
  });

  it('finds a config file without HOME', async () => {
    expect((await run(['config', 'path'], { environment: { HOME: '' } })).stdout).toMatch(
      /^\/.*\/\.config\/topup\/config\.json\n$/,
    );
  });
});

describe('a change of the config file', () => {
  const use = (name: string) => changeConfig(own.path, (config) => ({ ...config, profile: name }));

  it('writes a config file and a folder that only their user can read', async () => {
    const environment = { TOPUP_CONFIG: '', XDG_CONFIG_HOME: own.fileIn('config') };
    const written = join(own.folder, 'config', 'topup', 'config.json');

    await run(['config', 'set', 'base_url', 'https://shop.example/api'], { environment });

    expect(statSync(written).mode & 0o777).toBe(0o600);
    expect(statSync(own.fileIn('config')).mode & 0o777).toBe(0o700);
    expect(existsSync(`${written}.lock`)).toBe(false);
    expect(existsSync(join(home, '.config'))).toBe(false);
  });

  it('changes the file that a link points to', async () => {
    const linked = own.fileIn('dotfiles.json');
    writeFileSync(linked, '{}', { mode: 0o600 });
    symlinkSync(linked, own.path);

    await use('shop');

    expect(lstatSync(own.path).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(linked, 'utf8'))).toEqual({ profile: 'shop', profiles: {} });
  });

  it('keeps all concurrent changes of other processes', async () => {
    const script = own.fileIn('change.mjs');
    const module = new URL('../src/config/edit.ts', import.meta.url).href;
    writeFileSync(
      script,
      `import { changeConfig } from ${JSON.stringify(module)};
      const [path, name] = process.argv.slice(2);
      for (let number = 0; number < 25; number += 1)
        await changeConfig(path, ({ profiles }) => ({ profiles: { ...profiles, [name + number]: {} } }));`,
    );

    await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        promisify(execFile)(process.execPath, ['--conditions=@topup-kit/source', script, own.path, name]),
      ),
    );

    expect(Object.keys(own.kept().profiles)).toHaveLength(75);
  });

  it('waits until another process has changed the config file', async () => {
    writeFileSync(`${own.path}.lock`, '');
    let ended = false;
    const changing = use('shop').then(() => {
      ended = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(false);

    rmSync(`${own.path}.lock`);
    await changing;

    expect(own.kept()).toMatchObject({ profile: 'shop' });
  });

  it('gives up after a wait, and names the obstacle', async () => {
    writeFileSync(`${own.path}.lock`, '');
    // It waits for two seconds.
    const clock = hurriedClock();
    using _hurried = vi.spyOn(performance, 'now').mockImplementation(clock);

    expect(await topup(['config', 'set', 'base_url', 'https://a.test'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${own.path}.lock exists.`),
    });
    expect(existsSync(own.path)).toBe(false);
  });

  it('leaves the config file unchanged after a failure', async () => {
    own.keep({ profile: 'shop', profiles: { shop: {} } });

    await expect(
      changeConfig(own.path, () => {
        throw new Error('no');
      }),
    ).rejects.toThrow("can't be written: no.");

    expect(own.kept()).toMatchObject({ profile: 'shop' });
    await until(() => !existsSync(`${own.path}.lock`));
  });

  it("exits with 1 if the config file can't be written", async () => {
    writeFileSync(own.fileIn('file'), '');

    expect(
      await topup(['config', 'set', 'base_url', 'https://a.test'], {
        TOPUP_CONFIG: join(own.folder, 'file', 'config.json'),
      }),
    ).toMatchObject({ code: 1, stderr: expect.stringContaining('config.json can') });
  });
});
