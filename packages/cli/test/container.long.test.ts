import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runDockerfile } from '../../../scripts/dockerfile.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { runProgram, startInstalled } from './helpers/installed.ts';

// The short form is container.slow.test.ts, which runs the commands of the image alone. No test starts Docker.
it('builds a server with the steps of the Dockerfile, which its health check finds', {
  timeout: 600_000,
}, async () => {
  using folder = temporaryFolder();
  const steps: string[] = [];
  const image = await runDockerfile(folder.path, (step) => steps.push(step));
  expect(steps).toContain('RUN npx -y pnpm@12 install --frozen-lockfile');
  // The final stage is all that an image contains.
  await rm(join(folder.path, 'build'), { recursive: true });

  const env = { ...image.env, HOST: '127.0.0.1', PORT: '0', TOPUP_MODE: 'sandbox', HOME: '/nonexistent' };
  const [program = '', ...args] = image.command;
  using server = await startInstalled(program, args, { cwd: image.cwd, env });
  const [check = '', ...checkArgs] = image.healthCheck;
  const health = (port: string) =>
    runProgram(check, checkArgs, { cwd: image.cwd, env: { ...env, PORT: port } });
  expect((await health(new URL(server.baseUrl).port)).code).toBe(0);
  expect((await health('1')).code).not.toBe(0);
});
