import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { spawnTopup } from './helpers/child.ts';
import { until } from './helpers/run.ts';
import { closedBaseUrl } from './helpers/servers.ts';

const sandbox = ['serve', '--sandbox', '--port', '0', '--store', 'memory:'];

/** The curl line of a greeting as the arguments that a shell makes of it. */
function curlArguments(greeting: string): string[] {
  const line = /^ {2}(curl [\s\S]*?[^\\])\n/m.exec(greeting)?.[1] ?? '';
  const script = `curl() { for word in "$@"; do printf '%s\\n' "$word"; done; }; ${line}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
}

describe('topup serve as a process', () => {
  it('prints a curl line that works, and ends with 0 on SIGTERM', async () => {
    await using child = spawnTopup(sandbox);
    const greeting = await until(() => /[\s\S]*Ctrl\+C stops it\.\n/.exec(child.said.stdout)?.[0]);

    const [flag, header = '', url = '', ...others] = curlArguments(greeting);
    expect({ flag, others }).toEqual({ flag: '-H', others: [] });
    const answer = await fetch(url, { headers: [header.split(': ', 2)] as [string, string][] });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ success: true });

    child.process.kill('SIGTERM');
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.said.stderr).toBe(
      'Stopping: requests under way are answered first. Once more ends at once.\n',
    );
  });

  it('ends at once on a second signal, whatever is under way', async () => {
    await using child = spawnTopup([...sandbox, '--json']);
    const { port } = new URL(JSON.parse(await until(() => child.said.stdout)).base_url);
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    socket.write('GET /api/games HTTP/1.1\r\nHost: slow\r\n');
    await new Promise((resolve) => setTimeout(resolve, 100));

    child.process.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(child.process.exitCode).toBeNull();
    child.process.kill('SIGINT');

    expect(await child.ended).toEqual({ code: 130, signal: null });
  });
});

describe('topup as a process', () => {
  it('exits with the code of its failure', async () => {
    await using child = spawnTopup(['games', 'list', '--base-url', await closedBaseUrl()]);

    expect(await child.ended).toEqual({ code: 5, signal: null });
  });

  it('is silent when its reader goes away', async () => {
    await using child = spawnTopup(['--help']);
    child.process.stdout.destroy();

    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.said.stderr).toBe('');
  });

  it.each([
    ['--version', ['--version']],
    ['games list', ['games', 'list', '--base-url', 'http://127.0.0.1:9/api']],
  ])('%s does not load the server', async (_case, args) => {
    const tellLoaded = new URL('./helpers/tell-loaded.ts', import.meta.url).href;

    await using child = spawnTopup(args, ['--import', tellLoaded]);
    await child.ended;

    expect(child.said.stderr).toContain('loaded file:');
    expect(child.said.stderr).not.toMatch(/loaded .*\/(packages\/server|node_modules\/pino)\//);
  });
});
