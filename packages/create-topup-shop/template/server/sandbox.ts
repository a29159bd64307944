import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A service, and the key for it. */
export interface Service {
  baseUrl: string;
  apiKey: string;
}

const program = 'node_modules/@topup-kit/cli/dist/bin.mjs';
const args = ['serve', '--sandbox', '--store', 'memory:', '--port', '0', '--print-json'];

// Vite loads this file again when it restarts.
const kept = globalThis as { topupSandbox?: Promise<Service> | undefined };

/** The sandbox of this process, a complete service where nothing costs money. Starts it if none runs. */
export function findSandbox(): Promise<Service> {
  kept.topupSandbox ??= startSandbox();
  return kept.topupSandbox;
}

/** It stops with this process, also if that is killed. */
async function startSandbox(): Promise<Service> {
  const server = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const failed = once(server, 'exit').then(() => {
    kept.topupSandbox = undefined;
    throw new Error('The sandbox did not start; its message is above.');
  });
  const [line] = await Promise.race([once(createInterface(server.stdout), 'line'), failed]);
  failed.catch(() => process.stderr.write('The sandbox has stopped. Start again: npm run dev\n'));
  const { base_url, api_key } = JSON.parse(line);
  return { baseUrl: base_url, apiKey: api_key };
}
