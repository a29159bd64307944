import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type RunOptions, run, start, until } from './helpers/run.ts';

const sandbox = ['serve', '--sandbox', '--port', '0', '--store', 'memory:'];

/** The output of a server until it is stopped. */
async function served(
  args: string[],
  options: RunOptions = {},
  whileItAnswers?: (said: string) => Promise<void>,
) {
  const stop = new AbortController();
  const { written, code } = start(args, { ...options, signal: stop.signal });
  await until(() => written.stdout);
  await whileItAnswers?.(written.stdout);
  stop.abort('SIGTERM');
  return { code: await code, ...written };
}

const steady = (text: string): string => text.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>');

describe('serve', () => {
  it('greets in 80 columns, and stops on a signal without a failure', async () => {
    const { code, stdout } = await served(sandbox);

    expect(code).toBe(0);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "
      Topup Kit is running.

        Mode      sandbox: no real money, nothing is delivered
        Base URL  http://127.0.0.1:<port>/api
        Key       tk_test_sandboxsandboxsandboxsandbox002zG1mv
        Console   http://127.0.0.1:<port>/console
        Data      in memory, lost when the server stops

      Try it from another terminal:

        topup games list --base-url http://127.0.0.1:<port>/api

        curl -H 'X-API-KEY: tk_test_sandboxsandboxsandboxsandbox002zG1mv' \\
          http://127.0.0.1:<port>/api/games

      To simulate a fault (for one request, with the header X-Topup-Scenario):

        topup sandbox scenario --base-url http://127.0.0.1:<port>/api

      Ctrl+C stops it.
      "
    `);
  });

  it("prints the server's data as one document for programs", async () => {
    const { stdout } = await served([...sandbox, '--json']);

    expect(JSON.parse(stdout)).toEqual({
      mode: 'sandbox',
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api$/),
      console_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/console$/),
      api_key: expect.stringMatching(/^tk_test_/),
      store: 'memory:',
      seeded: true,
      upgraded: null,
    });
  });

  it('reports unknown variables with suggestions', async () => {
    const environment = {
      TOPUP_STROE: 'file:x',
      TOPUP_MAXQUANTITY: '5',
      TOPUP_CATALOG_FILE: 'x.json',
      TOPUP_SOMETHING: 'x',
      // Of a secret, of other commands, and not set.
      TOPUP_METRICS_TOKEN_FILE: '',
      TOPUP_BASE_URL: 'http://127.0.0.1:4000/api',
      TOPUP_GATWAY: '',
    };
    const { code, stderr } = await served(sandbox, { environment });

    expect(code).toBe(0);
    expect(stderr.trimEnd().split('\n')).toEqual([
      'TOPUP_STROE is not a setting of the server. Did you mean TOPUP_STORE?',
      'TOPUP_MAXQUANTITY is not a setting of the server. Did you mean TOPUP_MAX_QUANTITY?',
      'TOPUP_CATALOG_FILE is not a setting of the server.',
      'TOPUP_SOMETHING is not a setting of the server.',
    ]);
  });

  it('reports unknown variables even when the start fails', async () => {
    const { code, stderr } = await run(['serve', '--store', 'memory:'], {
      environment: { TOPUP_MOD: 'sandbox' },
    });

    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^TOPUP_MOD is not a setting of the server\. Did you mean TOPUP_MODE\?\nError: Live mode/,
    );
  });

  it('prints the full path of the data file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'topup-cli-'));

    const { stdout } = await served([
      'serve',
      '--sandbox',
      '--port',
      '0',
      '--store',
      `file:${folder}/topup.db`,
    ]);

    expect(stdout).toContain(`Data      ${join(folder, 'topup.db')} (new)\n`);
    rmSync(folder, { recursive: true });
  });

  it('explains which key and address work from where if others can reach the server', async () => {
    const exposed = [...sandbox, '--host', '0.0.0.0'];
    const { stdout } = await served(exposed, {
      environment: { TOPUP_API_KEY: 'tk_test_mine_and_long_enough' },
    });

    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(stdout).not.toContain('tk_test_mine');
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "
      Topup Kit is running.

        Mode      sandbox: no real money, nothing is delivered
        Base URL  http://127.0.0.1:<port>/api
                  from elsewhere: this machine's address instead of 127.0.0.1
        Key       tk_test_sandboxsandboxsandboxsandbox002zG1mv
                  only on this machine; in a container, only inside it
                  from anywhere: the one in TOPUP_API_KEY
        Console   http://127.0.0.1:<port>/console
        Data      in memory, lost when the server stops

      Try it from another terminal, with TOPUP_API_KEY set to the key:

        topup games list --base-url http://127.0.0.1:<port>/api

        curl -H "X-API-KEY: $TOPUP_API_KEY" \\
          http://127.0.0.1:<port>/api/games

      To simulate a fault (for one request, with the header X-Topup-Scenario):

        topup sandbox scenario --base-url http://127.0.0.1:<port>/api

      Ctrl+C stops it.
      "
    `);
    // No other process reaches its memory.
    expect((await served(exposed)).stdout).toContain('from anywhere: none; set TOPUP_API_KEY to a key');
  });

  it('explains how to create the first key of a live server, with working commands', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'topup-cli-'));
    const catalog = join(folder.path, 'catalog.json');
    writeFileSync(catalog, (await run(['catalog', 'generate'])).stdout);
    const environment = {
      TOPUP_STORE: `file:${join(folder.path, 'topup.db')}`,
      ...{ TOPUP_CATALOG: catalog, TOPUP_GATEWAY: 'tripay', TOPUP_SUPPLIER: 'vip-reseller' },
      // Nothing listens there.
      ...{ TRIPAY_BASE_URL: 'http://127.0.0.1:9', VIP_RESELLER_BASE_URL: 'http://127.0.0.1:9' },
      ...{ TRIPAY_API_KEY: 'a', TRIPAY_PRIVATE_KEY: 'b', TRIPAY_MERCHANT_CODE: 'T1' },
      ...{ VIP_RESELLER_API_ID: 'a', VIP_RESELLER_API_KEY: 'b', TOPUP_PUBLIC_URL: 'https://shop.example' },
      // A live server takes no key from its environment.
      ...{ TOPUP_API_KEY: 'tk_test_mine_and_long_enough', TOPUP_LOG_LEVEL: 'silent' },
    };
    const live = (...flags: string[]) => served(['serve', '--port', '0', ...flags], { environment });

    const { stdout } = await live('--store', environment.TOPUP_STORE);

    expect(steady(stdout).replaceAll(folder.path, '<folder>')).toMatchInlineSnapshot(`
      "
      Topup Kit is running.

        Mode      live: real money
        Base URL  https://shop.example/api
        Key       one of \`topup keys create\`
        Data      <folder>/topup.db (new)

      Make a key for each shop; it is shown only once:

        topup keys create --name my-shop --store file:<folder>/topup.db

      Try it from another terminal, with TOPUP_API_KEY set to the key:

        topup games list --base-url http://127.0.0.1:<port>/api

        curl -H "X-API-KEY: $TOPUP_API_KEY" \\
          http://127.0.0.1:<port>/api/games

      Ctrl+C stops it.
      "
    `);
    const [, command = ''] = /topup (keys create .*)/.exec(stdout) ?? [];
    expect((await run(command.split(' '))).stdout).toMatch(/^tk_live_/);
    const again = (await live()).stdout;
    expect(again).toContain('Key       one of `topup keys create`\n');
    expect(again).not.toContain('my-shop');
    expect(again).not.toContain('Console');
    const withConsole = (await live('--console', 'act', '--store', environment.TOPUP_STORE)).stdout;
    expect(withConsole).toContain(
      `  Console   https://shop.example/console\n            log in: topup console link --store ${environment.TOPUP_STORE}\n`,
    );
  });

  it('prefers flags to the environment', async () => {
    const environment = { PORT: 'none', TOPUP_BASE_PATH: '/v1', TOPUP_MODE: 'live' };

    const { stdout } = await served([...sandbox, '--json'], { environment });

    expect(JSON.parse(stdout)).toMatchObject({ mode: 'sandbox', base_url: expect.stringMatching(/\/v1$/) });
  });

  it("uses the profile's store unless a flag or the environment gives another store", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'topup-cli-'));
    const TOPUP_CONFIG = join(folder, 'config.json');
    const profile = { store: `file:${folder}/profile.db` };
    writeFileSync(TOPUP_CONFIG, JSON.stringify({ profiles: { default: profile } }), { mode: 0o600 });
    const args = ['serve', '--sandbox', '--port', '0', '--json'];
    const storeOf = async (environment: Record<string, string>): Promise<unknown> =>
      JSON.parse((await served(args, { environment: { TOPUP_CONFIG, ...environment } })).stdout).store;

    expect(await storeOf({})).toBe(`file:${folder}/profile.db`);
    expect(await storeOf({ TOPUP_STORE: 'memory:' })).toBe('memory:');
    rmSync(folder, { recursive: true });
  });

  it("suggests games list in the form that works in the user's environment", async () => {
    const environment = { npm_lifecycle_event: 'start', npm_config_user_agent: 'pnpm/12.0.0 npm/? node/v24' };

    const { stdout } = await served(sandbox, { environment });

    expect(steady(stdout)).toContain(
      'npx -y pnpm@12 topup games list --base-url http://127.0.0.1:<port>/api',
    );
  });
});

describe('serve does not start', () => {
  it('rejects an invalid value in one line with the variable and the accepted values', async () => {
    expect(await run(['serve', '--sandbox'], { environment: { PORT: 'http' } })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Error: PORT takes a whole number from 0 to 65535, not "http".\n',
    });
  });

  it('rejects simulated parts in live mode, and lists the required parts', async () => {
    const { code, stdout, stderr } = await run(['serve', '--store', 'memory:']);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^Error: Live mode takes real money.* a real payment gateway: .* a real supplier: .* a store .*topup serve --sandbox.*\n$/,
    );
  });

  it('rejects a port that is in use', async () => {
    await served([...sandbox, '--json'], {}, async (said) => {
      const port = new URL(JSON.parse(said).base_url).port;

      expect(await run(['serve', '--sandbox', '--store', 'memory:', '--port', port])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`Error: 127.0.0.1:${port} is already taken`),
      });
    });
  });

  it('rejects an unknown address', async () => {
    const { code, stderr } = await run([...sandbox, '--host', '999.1.1.1']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Error: 999\.1\.1\.1:0 .*set HOST \(or --host\)/);
    expect(stderr).not.toContain('TOPUP_DEBUG');
  });

  it('rejects a damaged store, and explains how to replace it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'topup-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'topup.db');
    const args = ['serve', '--sandbox', '--port', '0', '--store', `file:${path}`];
    await served(args);
    const bytes = readFileSync(path);
    for (let at = 4_096; at < bytes.length; at += 4_096) bytes.fill(0xff, at, at + 12);
    writeFileSync(path, bytes);

    expect(await run(args)).toEqual({
      code: 1,
      stdout: '',
      stderr: `Error: ${path} is damaged.\nTo find out more, run \`topup db status --check\`. To restore a backup, run \`topup restore FILE\`. Both need --store.\n`,
    });
  });

  describe('a start that fails permanently exits with 2, as the systemd unit expects', () => {
    it.each<[what: string, catalog: string | null, said: string]>([
      ['a missing catalogue file', null, "can't be read (ENOENT): set TOPUP_CATALOG (or --catalog)"],
      ['a catalogue file that is not JSON', '{', 'is not JSON'],
      ['a catalogue file that breaks a rule', '{}', 'breaks 4 rules'],
    ])(
      'exits with 2 for a permanent problem, as the systemd unit expects: %s',
      async (_what, catalog, said) => {
        await using folder = await mkdtempDisposable(join(tmpdir(), 'topup-cli-'));
        const file = join(folder.path, 'catalog.json');
        if (catalog !== null) writeFileSync(file, catalog);

        const { code, stderr } = await run([...sandbox, '--catalog', file]);

        expect(stderr).toContain(`The catalogue file ${file} ${said}`);
        expect(code).toBe(2);
      },
    );

    it('exits with 2 for a store of another mode', async () => {
      await using folder = await mkdtempDisposable(join(tmpdir(), 'topup-cli-'));
      const store = ['--store', `file:${join(folder.path, 'topup.db')}`];
      await run(['keys', 'create', '--name', 'x', '--mode', 'live', ...store]);

      const { code, stderr } = await run(['serve', '--sandbox', '--port', '0', ...store]);

      expect(stderr).toContain('set TOPUP_STORE (or --store) to another file');
      expect(code).toBe(2);
    });
  });

  it('names the user that may write the store, or suggests another place for the store', async () => {
    const { code, stderr } = await run([
      'serve',
      '--sandbox',
      '--port',
      '0',
      '--store',
      'file:/proc/no/topup.db',
    ]);

    expect(stderr).toMatch(
      /^Error: The folder \/proc\/no can't be created \(ENOENT\)\.\n.*TOPUP_STORE.*`ls -ld`/,
    );
    expect(code).toBe(1);
  });

  it('reports a failed start as a document under --json', async () => {
    const { stdout } = await run(['serve', '--port', 'x', '--json']);

    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'CONFIG' } });
  });
});
