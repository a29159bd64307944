import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli } from '../scripts/build.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { runProgram, startInstalled } from './helpers/installed.ts';

const text = readFileSync(fileURLToPath(new URL('../../../Dockerfile', import.meta.url)), 'utf8');
const [, , finalStage = ''] = text.split(/^FROM /m);

const instruction = (name: string): string => new RegExp(`^${name} (.+)$`, 'm').exec(finalStage)?.[1] ?? '';

const folder = temporaryFolder();
const [app, data] = [join(folder.path, 'app'), join(folder.path, 'data')];

/** A command of the container, with its folders in this machine's temporary folder. */
function command(json: string): string[] {
  const words: string[] = JSON.parse(json);
  return words.map((word) => word.replace(/^\/app\//, `${app}/`).replace(/^node$/, process.execPath));
}

const environment = Object.fromEntries(
  [...finalStage.matchAll(/^ENV (\w+)=(.+)$/gm)].map(([, name = '', value = '']) => [
    name,
    value.replace('/data/', `${data}/`),
  ]),
);

beforeAll(async () => {
  mkdirSync(data);
  await buildCli(app);
  chmodSync(app, 0o555);
}, 60_000);
afterAll(() => folder[Symbol.dispose]());

// No Docker here: what the image would run is run on this machine.
describe('the Dockerfile', () => {
  it('starts a server that its health check finds and that writes only to its volume', async () => {
    const env: Record<string, string> = {
      ...environment,
      HOST: '127.0.0.1',
      PORT: '0',
      TOPUP_MODE: 'sandbox',
      HOME: '/nonexistent',
    };
    const [program = '', ...entry] = command(instruction('ENTRYPOINT'));
    using server = await startInstalled(program, [...entry, ...command(instruction('CMD'))], {
      cwd: data,
      env,
    });
    const [, check = ''] = /CMD (\[.*\])/.exec(instruction('HEALTHCHECK')) ?? [];
    const [node = '', ...args] = command(check);
    const health = (port: string) => runProgram(node, args, { cwd: data, env: { ...env, PORT: port } });
    expect((await health(new URL(server.baseUrl).port)).code).toBe(0);
    expect((await health('1')).code).toBe(1);
    expect(readFileSync(join(data, 'topup.db')).subarray(0, 15).toString()).toBe('SQLite format 3');
  });

  it("names the missing gateway and supplier in live mode, and doesn't start", async () => {
    const [program = '', ...entry] = command(instruction('ENTRYPOINT'));
    const { code, stderr } = await runProgram(program, [...entry, ...command(instruction('CMD'))], {
      cwd: data,
      env: { TOPUP_STORE: `file:${data}/live.db` },
    });
    expect(code).not.toBe(0);
    expect(stderr).toContain('a real payment gateway');
  });

  it('runs as an unprivileged user, on a port above 1024', () => {
    expect(instruction('USER')).toBe('node');
    expect(Number(instruction('EXPOSE'))).toBeGreaterThan(1024);
    expect(text).toMatch(/^COPY --from=build .*packages\/cli\/dist \/app\/$/m);
  });
});
