import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { sandboxKey } from '@topup-kit/core/contract';
import { describe, expect, it } from 'vitest';
import { spawnTopup, topup } from './helpers/child.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { until } from './helpers/run.ts';
import { closedBaseUrl, startJsonService, startService } from './helpers/servers.ts';

const reportLoaded = new URL('./helpers/report-loaded.ts', import.meta.url).href;
const sandbox = ['serve', '--sandbox', '--port', '0', '--store', 'memory:'];

/** The arguments that a shell makes of the curl line in a greeting. */
function curlArguments(greeting: string): string[] {
  const line = /^ {2}(curl [\s\S]*?[^\\])\n/m.exec(greeting)?.[1] ?? '';
  const script = `curl() { for word in "$@"; do printf '%s\\n' "$word"; done; }; ${line}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
}

describe('topup serve as a process', () => {
  it('prints a working curl command, and exits with 0 on SIGTERM', async () => {
    await using child = spawnTopup(sandbox);
    const greeting = await until(() => /[\s\S]*Ctrl\+C stops it\.\n/.exec(child.said.stdout)?.[0]);

    const [flag, header = '', url = '', ...others] = curlArguments(greeting);
    expect({ flag, others }).toEqual({ flag: '-H', others: [] });
    const answer = await fetch(url, { headers: [header.split(': ', 2)] as [string, string][] });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ success: true });

    child.process.kill('SIGTERM');
    expect(await child.ended).toEqual({ code: 0, signal: null });
    // It is a log, where it is no terminal.
    expect(child.said.stderr).toBe('');
  });

  it('ends within 5 s after SIGTERM even with open handles', async () => {
    // As a request to a slow provider does.
    const NODE_OPTIONS = '--import=data:text/javascript,setInterval(()=>{},60_000)';
    await using child = spawnTopup([...sandbox, '--json'], [], { NODE_OPTIONS });
    await until(() => /base_url/.exec(child.said.stdout)?.[0]);
    const asked = performance.now();
    child.process.kill('SIGTERM');
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - asked).toBeLessThan(5_000);
  });

  it('ends immediately on a second signal, whatever the command is doing', async () => {
    await using child = spawnTopup([...sandbox, '--json']);
    const { port } = new URL(JSON.parse(await until(() => child.said.stdout)).base_url);
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    // A body of which only the first byte ever comes.
    const head = [
      'POST /api/order HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      `X-API-KEY: ${sandboxKey}`,
      'Content-Type: application/json',
      'Content-Length: 10',
      'Expect: 100-continue',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    // It has the request, and waits for the body.
    await once(socket, 'data');
    socket.write('{');

    child.process.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(child.process.exitCode).toBeNull();
    child.process.kill('SIGINT');

    expect(await child.ended).toEqual({ code: 130, signal: null });
  });
});

describe('topup as a process', () => {
  it("exits with the code of the command's failure", async () => {
    await using child = spawnTopup(['games', 'list', '--base-url', await closedBaseUrl()]);

    expect(await child.ended).toEqual({ code: 5, signal: null });
  });

  it.each([
    ['--help', ['--help']],
    ['--version', ['--version']],
    ['a server', sandbox],
    ['an error for a program', ['games', 'lst', '--json']],
  ])('exits silently when the reader of %s stops', async (_case, args) => {
    await using child = spawnTopup(args);
    child.process.stdout.destroy();

    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.said.stderr).toBe('');
  });

  it('continues if stderr is closed', async () => {
    await using service = await startJsonService(200, { success: true, games: [], populerGames: [] });
    await using child = spawnTopup(['games', 'list', '--base-url', service.baseUrl]);
    child.process.stderr.destroy();

    expect(await child.ended).toEqual({ code: 0, signal: null });
  });

  it('writes a whole long response to a slow reader', async () => {
    const games = Array.from({ length: 20_000 }, (_, id) => ({
      id,
      slug: `game-${id}`,
      title: 'x'.repeat(50),
    }));
    await using service = await startJsonService(200, { success: true, games, populerGames: [] });
    await using child = spawnTopup(['games', 'list', '--json', '--base-url', service.baseUrl]);
    child.process.stdout.pause();
    await until(() => service.asked.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.process.stdout.resume();

    expect((await child.ended).code).toBe(0);
    expect(JSON.parse(child.said.stdout).games).toHaveLength(20_000);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('exits with the code for %s while it waits for a response', async (signal, code) => {
    await using service = await startService(() => {});
    await using child = spawnTopup(['games', 'list', '--base-url', service.baseUrl]);
    await until(() => service.asked.length > 0);
    child.process.kill(signal);

    expect(await child.ended).toEqual({ code, signal: null });
    expect(child.said.stderr).toContain('Error: Stopped before the response came.\n');
  });

  it('ends on a signal while it waits for a key', async () => {
    const args = ['games', 'list', '--key-file', '-', '--base-url', 'http://127.0.0.1:9/api'];
    await using child = spawnTopup(args, ['--import', reportLoaded]);
    await until(() => child.said.stderr.includes('/commands/games.ts'));
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.process.kill('SIGINT');

    expect(await child.ended).toEqual({ code: 130, signal: null });
  });

  it("reports an error outside the command's code without a stack", async () => {
    const failing = `data:text/javascript,const timer = setInterval(() => {
      if (process.listenerCount('uncaughtException') === 0) return;
      clearInterval(timer);
      throw new Error('boom');
    }, 20)`;
    await using child = spawnTopup([...sandbox, '--quiet'], ['--import', failing]);

    expect(await child.ended).toEqual({ code: 1, signal: null });
    expect(child.said.stderr).toBe(
      'Error: Unexpected error: boom\nPlease report it. TOPUP_DEBUG=1 shows where it happened.\n',
    );
  });

  it('ends even if an upgrade removed the files that print its error report', async () => {
    const hook = `import { registerHooks } from 'node:module';
      registerHooks({
        load(url, context, next) {
          if (url.endsWith('/output/report-error.ts')) throw new Error('no such file');
          return next(url, context);
        },
      });`;
    const gone = `data:text/javascript,${encodeURIComponent(hook)}`;
    await using child = spawnTopup(
      ['games', 'list', '--base-url', await closedBaseUrl()],
      ['--import', gone],
    );

    expect(await child.ended).toEqual({ code: 1, signal: null });
    expect(child.said.stderr).toContain('no such file');
    expect(child.said.stderr).not.toContain('    at ');
  });

  it.each([
    ['--version', ['--version']],
    ['games list', ['games', 'list', '--base-url', 'http://127.0.0.1:9/api']],
  ])("doesn't load the server for %s", async (_case, args) => {
    await using child = spawnTopup(args, ['--import', reportLoaded]);
    await child.ended;

    expect(child.said.stderr).toContain('loaded file:');
    expect(child.said.stderr).not.toMatch(/loaded .*\/(packages\/server|node_modules\/pino)\//);
  });
});

describe("topup whose output can't be written", () => {
  /** Runs in a shell with a file size limit of zero, like a full disk. */
  function runFull(args: string[], folder: string) {
    const script = 'ulimit -f 0; trap "" XFSZ; out="$1"; shift; exec "$0" "$@" >"$out"';
    return spawnSync('bash', ['-c', script, process.execPath, join(folder, 'out'), topup, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder },
    });
  }

  it.each([
    ['--version', ['--version']],
    ['--help', ['--help']],
    ['a result', ['config', 'list']],
    ['a document', ['config', 'list', '--json']],
    ['an error for a program', ['games', 'lst', '--json']],
  ])("reports that output can't be written, and fails: %s", (_case, args) => {
    using folder = temporaryFolder();

    const { status, stderr } = runFull(args, folder.path);

    expect(status).toBeGreaterThan(0);
    expect(stderr).toContain('Error: ');
  });

  it('reports a deleted working directory', () => {
    using folder = temporaryFolder();
    const script = 'mkdir "$1/gone"; cd "$1/gone"; rmdir "$1/gone"; exec "$0" "$2" db status';

    const { status, stderr } = spawnSync('bash', ['-c', script, process.execPath, folder.path, topup], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder.path },
    });

    expect({ status, stderr }).toEqual({
      status: 3,
      stderr:
        'Error: The current folder no longer exists.\nChange to another folder and run the command again.\n',
    });
  });
});
