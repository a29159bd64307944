import { describe, expect, it, vi } from 'vitest';
import { fakeProcess } from './helpers/fake-process.ts';
import { until } from './helpers/run.ts';
import { startKeyTeller, startService } from './helpers/servers.ts';

describe('a command in its process', () => {
  it('reads a key from its stdin', async () => {
    const seen: unknown[] = [];
    await using service = await startKeyTeller(seen);
    const { run, host } = fakeProcess();
    host.stdin.end('tk_test_piped\n');
    await run('games', 'list', '--key-file', '-', '--base-url', service.baseUrl);
    expect([host.exitCode, ...new Set(seen)]).toEqual([0, 'tk_test_piped']);
  });

  it.each([
    [{ code: 'EMFILE' }, 'Raise the limit of open files: ulimit -n 65536.'],
    [{ code: 'ENOENT' }, 'This installation of topup changed or is damaged: run the command again.'],
    [{}, 'This installation of topup changed or is damaged: run the command again.'],
  ])('that can not report an error as usual, with %j, says what to do', async (more, next) => {
    await using service = await startService(() => {});
    const { run, host, said, exits } = fakeProcess();
    const running = run('games', 'list', '--quiet', '--base-url', service.baseUrl);
    await until(() => service.asked.length > 0);
    const fail = (): never => {
      throw new Error('not loaded');
    };
    vi.spyOn(host.stderr, 'write').mockImplementationOnce(fail).mockImplementationOnce(fail);
    host.emit('uncaughtException', Object.assign(new Error('boom'), more));
    await until(() => exits.length > 0);
    expect([exits, said.stderr]).toEqual([[1], `Error: boom\n${next}\n`]);
    host.emit('SIGINT', 'SIGINT');
    await running;
  });
});
