/** Runs a server like `helpers/serve.ts`. On SIGUSR2, it collects garbage and prints its memory and open files as JSON. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import { readConfig, startServer } from '../../packages/server/src/index.ts';

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const { heapUsed, heapTotal, external } = process.memoryUsage();
  // Excludes pages of files, such as Node's own program, and free space that V8 keeps, because both vary.
  const anonymous = Number(/RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
  const native = Math.max(0, anonymous - heapTotal);
  const files = readdirSync('/proc/self/fd').length;
  process.stdout.write(`${JSON.stringify({ heap: heapUsed + external, native, files })}\n`);
});

const server = await startServer(readConfig(process.env));
process.once('SIGTERM', () => void server.close());
process.stdout.write(`${server.baseUrl}\n`);
