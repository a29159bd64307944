import { exec, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { spawnTopup, topup } from './helpers/child.ts';
import { run, until } from './helpers/run.ts';

const sandbox = ['serve', '--sandbox', '--store', 'memory:', '--port', '0', '--print-json'];

interface Started {
  base_url: string;
  api_key: string;
  pid: number;
}

const firstLine = (stdout: string): Started | undefined => {
  const [line] = /^.+\n/.exec(stdout) ?? [];
  return line === undefined ? undefined : JSON.parse(line);
};

/** A busy machine takes seconds to start a server. */
const untilStarted = (said: { stdout: string }): Promise<Started> =>
  until(() => firstLine(said.stdout), 15_000);

const listGames = ({ base_url, api_key }: Started): Promise<Response> =>
  fetch(`${base_url}/games`, { headers: { 'X-API-KEY': api_key } });

it('prints one line for programs when the server accepts requests, and nothing else on stdout', async () => {
  await using child = spawnTopup(sandbox);
  const started = await untilStarted(child.said);
  expect(started).toMatchObject({
    mode: 'sandbox',
    base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api$/),
    api_key: expect.stringMatching(/^tk_test_/),
    store: 'memory:',
    pid: child.process.pid,
  });
  expect((await listGames(started)).status).toBe(200);

  child.process.kill('SIGTERM');

  expect(await child.ended).toEqual({ code: 0, signal: null });
  expect(child.said.stdout.trimEnd()).not.toContain('\n');
});

it('stops the server when stdin ends', async () => {
  await using child = spawnTopup(sandbox);
  await untilStarted(child.said);

  child.process.stdin.end('what is written has no meaning\n');

  expect(await child.ended).toEqual({ code: 0, signal: null });
});

it("stops the server when a shell's pipe ends", async () => {
  const { stdout } = await promisify(exec)(`sleep 1 | "$NODE" ${[topup, ...sandbox].join(' ')}`, {
    env: { ...process.env, NODE: process.execPath },
  });
  expect(firstLine(stdout)).toMatchObject({ mode: 'sandbox' });
});

/** A program that starts a server, and prints what that prints. */
const parent = (stdin: 'pipe' | 'ignore'): string => `
  require('node:child_process').spawn(process.execPath, ${JSON.stringify([topup, ...sandbox])}, {
    stdio: ['${stdin}', 'inherit', 'inherit'],
  });`;

async function startBy(program: string) {
  const child = spawn(process.execPath, ['--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = { stdout: '' };
  child.stdout.on('data', (data) => (said.stdout += data));
  const started = await untilStarted(said);
  onTestFinished(() => {
    child.kill('SIGKILL');
    try {
      process.kill(started.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
  return { child, started };
}

it('stops the server when the program that started it is killed', async () => {
  const { child, started } = await startBy(parent('pipe'));
  expect((await listGames(started)).status).toBe(200);

  child.kill('SIGKILL');

  await expect(until(() => listGames(started).then(() => undefined))).rejects.toThrow('fetch failed');
});

it('keeps the server running when stdin is /dev/null', async () => {
  const { child, started } = await startBy(parent('ignore'));

  await Promise.all([once(child, 'exit'), child.kill('SIGKILL')]);

  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await listGames(started)).status).toBe(200);
});

it('stops the server with stdin only with --print-json', async () => {
  await using child = spawnTopup([...sandbox.slice(0, -1), '--json']);
  const started: Started = JSON.parse(await until(() => child.said.stdout, 15_000));

  child.process.stdin.end();

  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await listGames(started)).status).toBe(200);
});

it("explains on stderr why the server doesn't start", async () => {
  const { code, stdout, stderr } = await run([...sandbox, '--host', '999.1.1.1']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^Error: 999\.1\.1\.1:0 /);
});
