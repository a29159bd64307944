/** Runs a server like `helpers/serve.ts`. At SIGUSR2 it collects garbage and prints its memory and open files, as JSON. */
import { readdirSync } from 'node:fs';
import { readConfig, startServer } from '../../../src/index.ts';

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const files = readdirSync('/proc/self/fd').length;
  process.stdout.write(`${JSON.stringify({ heap: heapUsed + external, rss, files })}\n`);
});

const server = await startServer(readConfig(process.env));
process.once('SIGTERM', () => void server.close());
process.stdout.write(`${server.baseUrl}\n`);
