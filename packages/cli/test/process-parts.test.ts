import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakeProcess } from './helpers/fake-process.ts';
import { until } from './helpers/run.ts';
import { startKeyTeller, startService } from './helpers/servers.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A service that never responds. */
const startSilent = () => startService(() => {});

const errorWith = (code: string): Error => Object.assign(new Error(`write ${code}`), { code });

describe('a command in its process', () => {
  it("writes a result, and exits with the result's code", async () => {
    const { run, host, said, exits } = fakeProcess();
    await run('version', '--json');
    expect(JSON.parse(said.stdout)).toHaveProperty('version');
    expect([host.exitCode, said.stderr, exits]).toEqual([0, '', []]);
  });

  it('reports an invalid command line', async () => {
    const { run, host, said } = fakeProcess();
    await run('games', 'lst');
    expect([host.exitCode, said.stdout]).toEqual([2, '']);
    expect(said.stderr).toMatch(/^Error: /);
  });

  it('accepts that its reader stops early', async () => {
    const { run, host, said } = fakeProcess({ write: () => errorWith('EPIPE') });
    await run('version');
    expect([host.exitCode, said.stderr]).toEqual([0, '']);
  });

  it('fails on a full disk', async () => {
    const { run, host, said } = fakeProcess({ write: () => errorWith('ENOSPC') });
    await run('version');
    expect(host.exitCode).toBe(1);
    expect(said.stderr).toMatch(/^Error: The output can't be written: write ENOSPC\.\n/);
  });

  it('fits output to the terminal, and reads settings from the environment', async () => {
    const onTerminal = fakeProcess({ isTTY: true });
    await onTerminal.run('--help');
    expect(onTerminal.said.stdout).toContain('\u001b[1mUsage:\u001b[22m');
    const plain = fakeProcess({ isTTY: true, environment: { NO_COLOR: '1' } });
    await plain.run('--help');
    expect(plain.said.stdout).toMatch(/^Usage:/);
    expect(Math.max(...plain.said.stdout.split('\n').map((line) => line.length))).toBeGreaterThan(80);
    const piped = fakeProcess();
    await piped.run('--help');
    expect(Math.max(...piped.said.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('asks questions only at a terminal', async () => {
    const args = ['sandbox', 'reset', '--base-url', 'http://127.0.0.1:9/api'];
    const piped = fakeProcess();
    await piped.run(...args);
    expect(piped.said.stderr).toContain('This needs --yes');
    const onTerminal = fakeProcess({ isTTY: true });
    const running = onTerminal.run(...args);
    await until(() => onTerminal.said.stderr.includes('Go on?'));
    onTerminal.host.stdin.write('n\r');
    await running;
    expect(onTerminal.host.exitCode).toBe(1);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('stops on %s even with open handles', async (signal, code) => {
    await using service = await startSilent();
    const { run, host, said, exits } = fakeProcess();
    const running = run('games', 'list', '--base-url', service.baseUrl);
    await until(() => service.asked.length > 0);
    host.emit(signal, signal);
    await running;
    expect(host.exitCode).toBe(code);
    expect(said.stderr).toContain('Error: Stopped before the response came.\n');
    expect(host.stdin.destroyed).toBe(true);
    expect(exits).toEqual([]);
    await until(() => exits.length > 0, 1_000);
    expect(exits).toEqual([undefined]);
  });

  it('leaves stdin open and ends normally without a signal', async () => {
    const { run, host, exits } = fakeProcess();
    await run('version');
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect([host.stdin.destroyed, exits]).toEqual([false, []]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends immediately on a second signal, %s', async (signal, code) => {
    await using service = await startSilent();
    const { run, host, exits } = fakeProcess();
    const running = run('games', 'list', '--base-url', service.baseUrl);
    await until(() => service.asked.length > 0);
    host.emit('SIGTERM', 'SIGTERM');
    expect(exits).toEqual([]);
    host.emit(signal, signal);
    expect(exits).toEqual([code]);
    await running;
  });

  it("reports only the first error outside the command's own code", async () => {
    await using service = await startSilent();
    const { run, host, said, exits } = fakeProcess();
    const running = run('games', 'list', '--base-url', service.baseUrl);
    await until(() => service.asked.length > 0);
    host.emit('uncaughtException', new Error('boom'));
    host.emit('uncaughtException', new Error('another'));
    await until(() => exits.length > 0);
    expect(exits).toEqual([1]);
    expect(said.stderr).toContain('Error: Unexpected error: boom\n');
    expect(said.stderr).not.toContain('another');
    host.emit('SIGINT', 'SIGINT');
    await running;
  });

  it('reads a key from stdin', async () => {
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
  ])("explains the next step if an error can't be reported normally, with %j", async (more, next) => {
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

  it('continues if stderr is closed', async () => {
    const { run, host } = fakeProcess();
    await run('games', 'lst');
    expect(() => host.stderr.emit('error', errorWith('EPIPE'))).not.toThrow();
    // Each use of it would add one, and Node warns of eleven.
    for (let count = 0; count < 3; count += 1) await run('games', 'lst');
    expect(host.stderr.listenerCount('error')).toBe(1);
  });
});
