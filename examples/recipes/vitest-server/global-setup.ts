import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    sandbox: { baseUrl: string; apiKey: string };
  }
}

const args = ['serve', '--sandbox', '--store', 'memory:', '--port', '0', '--print-json'];

/** Starts a sandbox for all tests of a run. It stops with the run, also with one that is killed. */
export default async function startSandbox({ provide }: TestProject) {
  const server = spawn('topup', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  const failed = ended.then(() => {
    throw new Error('The sandbox did not start; its message is above.');
  });
  const [line] = await Promise.race([once(createInterface(server.stdout), 'line'), failed]);
  const { base_url, api_key } = JSON.parse(line);
  provide('sandbox', { baseUrl: base_url, apiKey: api_key });
  return async () => {
    server.stdin.end();
    await ended;
  };
}
