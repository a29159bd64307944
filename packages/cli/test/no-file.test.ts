import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createSqliteStore, lockForServer } from '@topup-kit/server/internal';
import { describe, expect, it } from 'vitest';
import { ownConfig } from './helpers/own-config.ts';
import { hasPipes, makePipe } from './helpers/pipe.ts';
import { run } from './helpers/run.ts';
import { startService } from './helpers/servers.ts';

const own = ownConfig();
const storePath = (): string => own.fileIn('topup.db');
const topup = (args: string[], environment: Record<string, string> = {}) =>
  run(args, { environment: { TOPUP_CONFIG: own.path, TOPUP_STORE: `file:${storePath()}`, ...environment } });

async function makeStore(): Promise<void> {
  await createSqliteStore({ path: storePath() }).close();
}

describe.skipIf(!hasPipes)('a file that is not a regular file is never replaced (needs mkfifo)', () => {
  it('replaces no special file with a backup, even with --force', async () => {
    await makeStore();
    const pipe = makePipe(own.fileIn('pipe'));

    const { code, stderr } = await topup(['backup', pipe, '--force']);

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `Error: ${pipe} is a device or a pipe, not a file.\nNothing was changed. Use a regular file.\n`,
    });
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  it('replaces no special file with a restore, and leaves no lock', async () => {
    await makeStore();
    await topup(['backup', own.fileIn('friday.db')]);
    const pipe = makePipe(own.fileIn('pipe'));

    const { code, stderr } = await topup(['restore', own.fileIn('friday.db'), '--yes'], {
      TOPUP_STORE: `file:${pipe}`,
    });

    expect(code).toBe(2);
    expect(stderr).toContain('is a device or a pipe, not a file.');
    expect(statSync(pipe).isFIFO()).toBe(true);
    expect(existsSync(`${pipe}.lock`)).toBe(false);
  });

  it.each([
    ['keys list', ['keys', 'list']],
    ['keys create', ['keys', 'create', '--name', 'x', '--mode', 'live']],
    ['db status', ['db', 'status']],
    ['serve', ['serve', '--sandbox', '--port', '0']],
  ])('rejects a special file as the store for %s', async (_case, args) => {
    const pipe = makePipe(own.fileIn('pipe'));

    const { code, stderr } = await topup(args, { TOPUP_STORE: `file:${pipe}` });

    expect(code).toBe(2);
    expect(stderr).toContain(`${pipe} is a device or a pipe, not a file.`);
    expect(readdirSync(own.folder)).toEqual(['pipe']);
  });

  it.each([
    ['config set', ['config', 'set', 'base_url', 'https://shop.example/api']],
    ['config use', ['config', 'use', 'shop']],
  ])('writes no configuration of %s to a special file', async (_case, args) => {
    const pipe = makePipe(own.fileIn('pipe'));

    expect(await topup(args, { TOPUP_CONFIG: pipe })).toEqual({
      code: 1,
      stdout: '',
      stderr: `Error: ${pipe} is not a regular file, so it can't hold the configuration.\nNothing was changed. Set TOPUP_CONFIG to a regular file.\n`,
    });
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  it('rejects a special file as the config file of login before any prompt', async () => {
    await using service = await startService((_request, response) => response.end());
    const pipe = makePipe(own.fileIn('pipe'));
    writeFileSync(own.fileIn('key'), 'tk_live_0123456789abcdefghij');

    const { stderr } = await topup(
      ['login', '--base-url', service.baseUrl, '--key-file', own.fileIn('key')],
      { TOPUP_CONFIG: pipe },
    );

    expect(stderr).toContain(`${pipe} is not a regular file, so it can't hold the configuration.`);
    expect(service.asked).toEqual([]);
  });

  it('replaces no special file with a catalogue', async () => {
    const pipe = makePipe(own.fileIn('pipe'));

    const { code, stderr } = await topup(['catalog', 'generate', '--out', pipe, '--force']);

    expect(code).toBe(1);
    expect(stderr).toBe(`Error: ${pipe} is not a regular file.\nNothing was written. Use another file.\n`);
    expect(statSync(pipe).isFIFO()).toBe(true);
  });
});

it.skipIf(!existsSync('/proc/self'))(
  "reports a configuration folder that can't be created (needs /proc)",
  async () => {
    const { code, stderr } = await topup(['config', 'set', 'store', 'file:x.db'], {
      TOPUP_CONFIG: '/proc/topup-none/a/config.json',
    });

    expect(code).toBe(1);
    expect(stderr).toContain("ENOENT: no such file or directory, mkdir '/proc/topup-none'");
  },
);

describe('a catalogue overwrites no store with --force', () => {
  it.each(['topup.db', 'topup.db-wal', 'topup.db.lock'])(
    'replaces no store with a catalogue, even with --force: %s',
    async (name) => {
      const store = createSqliteStore({ path: storePath() });
      lockForServer(storePath(), { pid: 4711 }).release();
      const before = readFileSync(own.fileIn(name));

      const { code, stderr } = await topup(['catalog', 'generate', '--out', own.fileIn(name), '--force']);

      expect(code).toBe(1);
      expect(stderr).toContain(`${own.fileIn(name)} is a store, or one of a store's files.`);
      expect(readFileSync(own.fileIn(name))).toEqual(before);
      await store.close();
    },
  );

  it('leaves no temporary file next to the store', async () => {
    writeFileSync(own.fileIn('catalog.json'), 'old', { mode: 0o600 });

    const { code } = await topup(['catalog', 'generate', '--out', own.fileIn('catalog.json'), '--force']);

    expect(code).toBe(0);
    expect(readdirSync(own.folder)).toEqual(['catalog.json']);
    expect(statSync(own.fileIn('catalog.json')).mode & 0o777).toBe(0o600);
  });
});

describe("a home folder that doesn't exist", () => {
  it.each([
    ['an empty HOME', { HOME: '' }],
    ['a relative HOME', { HOME: 'home' }],
    ['a relative XDG_CONFIG_HOME', { XDG_CONFIG_HOME: 'configuration' }],
  ])('writes no configuration to the current folder: %s', async (_case, environment) => {
    const { stdout } = await run(['config', 'path'], { environment });

    expect(stdout).toMatch(/^\/.*\/\.config\/topup\/config\.json\n$/);
    expect(stdout).not.toContain(process.cwd());
  });
});

describe('a folder that is missing', () => {
  it("names a backup's missing folder", async () => {
    await makeStore();

    expect(await topup(['backup', own.fileIn('none/x.db')])).toEqual({
      code: 3,
      stdout: '',
      stderr: `Error: There is no folder ${own.fileIn('none')}.\nCreate the folder, or name a file in another folder.\n`,
    });
  });

  it('creates no folder for a store if keys create has no mode', async () => {
    const { code, stderr } = await topup(['keys', 'create', '--name', 'x'], {
      TOPUP_STORE: `file:${own.fileIn('typo/t.db')}`,
    });

    expect(code).toBe(2);
    expect(stderr).toContain('add --mode sandbox or --mode live');
    expect(readdirSync(own.folder)).toEqual([]);
  });

  it('creates a configuration folder that only its user can read', async () => {
    mkdirSync(own.fileIn('a'));
    await topup(['config', 'set', 'store', 'file:x.db'], { TOPUP_CONFIG: own.fileIn('a/b/c/config.json') });

    expect(['a/b', 'a/b/c'].map((name) => statSync(own.fileIn(name)).mode & 0o777)).toEqual([0o700, 0o700]);
  });
});
