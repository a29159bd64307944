import { type RunningServer, readConfig, startServer } from '@topup-kit/server';
import { expect, it } from 'vitest';
import { fixtureOrder } from './helpers/order.ts';
import { type RunOptions, run, start, until } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

const follow = (server: RunningServer, args: string[] = [], options: RunOptions = {}) => {
  const stop = new AbortController();
  const line = ['sandbox', 'requests', '--follow', ...args, '--base-url', server.baseUrl];
  const running = start(line, { ...options, signal: stop.signal });
  return {
    written: running.written,
    lines: () => running.written.stdout.split('\n').slice(0, -1),
    async stop() {
      stop.abort('SIGINT');
      return running.code;
    },
  };
};

const at = (server: RunningServer, ...args: string[]) => run([...args, '--base-url', server.baseUrl]);

/** A sandbox in the place of another one, as after a restart. */
const restart = ({ localUrl }: RunningServer): Promise<RunningServer> =>
  startServer(readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: new URL(localUrl).port }));

it.concurrent('shows new requests until the command is stopped, and exits with 0', async () => {
  await using server = await startSandbox();
  await at(server, 'games', 'list');
  const { lines, written, stop } = follow(server);
  await until(() => written.stderr.includes('Following the requests to'));

  await at(server, ...fixtureOrder);
  await at(server, 'invoices', 'show', 'INV-20260329093000-ABCDEFGH');
  await until(() => lines().some((line) => line.includes('INVOICE_NOT_FOUND')));

  expect(await stop()).toBe(0);
  const shown = lines().map((line) => line.split(/ {2,}/).slice(1, 3).join(' '));
  expect(shown).toContain('201 POST /api/order');
  expect(shown.at(-1)).toMatch(/^404 GET *\/api\/invoice\/INV-20260329093000-ABCDEFGH$/);
  expect(lines().join('\n')).not.toContain('/api/games ');
});

it.concurrent('continues after a restart of the sandbox, when request numbers restart at 1', async () => {
  await using first = await startSandbox();
  for (let count = 0; count < 3; count += 1) await at(first, 'games', 'list');
  const { lines, written, stop } = follow(first, ['--json']);
  await at(first, ...fixtureOrder);
  await until(async () => {
    await at(first, 'games', 'list');
    return lines().length > 0;
  });
  const numbers = (): number[] => lines().map((line) => JSON.parse(line).number);
  const { stdout } = await at(first, 'sandbox', 'requests', '--limit', '1', '--json');
  const { number: newest } = JSON.parse(stdout).requests[0];
  await until(() => numbers().at(-1) === newest);
  const before = lines().length;

  await first.close();
  await using second = await restart(first);
  for (let count = 0; count < 6; count += 1) await at(second, 'games', 'list');
  await until(() => lines().length >= before + 6);

  expect(await stop()).toBe(0);
  expect(numbers().slice(before)).toEqual([1, 2, 3, 4, 5, 6]);
  // `--json` prints the entries alone.
  expect(written.stderr).toBe('');
});

it.concurrent('reports once that the sandbox is unavailable, and once that it is available again', async () => {
  await using first = await startSandbox();
  await at(first, 'games', 'list');
  const { written, stop } = follow(first);
  await until(() => written.stderr.includes('Following the requests to'));

  await first.close();
  await until(() =>
    written.stderr.includes('The list of requests continues when the sandbox responds again.'),
  );
  await using second = await restart(first);
  await until(() => written.stderr.includes('was restarted.'));
  await at(second, 'games', 'list');
  await until(() => written.stdout.includes('/api/games'));

  expect(await stop()).toBe(0);
  expect(written.stderr.match(/The list of requests continues/g)).toHaveLength(1);
  expect(written.stderr).toContain('responds again.\n');
});

it.concurrent('fails if no sandbox responds at the start', async () => {
  await using server = await startSandbox();
  await server.close();
  const { code, stderr } = await at(server, 'sandbox', 'requests', '--follow');
  expect([code, stderr]).toEqual([5, expect.stringContaining('No response from')]);
});

it.each([['17'], ['--code', 'curl']])('rejects --follow with %s %s', async (...more) => {
  const { code, stderr } = await run(['sandbox', 'requests', '--follow', ...more]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("--follow can't be combined")]);
});
