/** Runs a server like `helpers/serve.ts`. At SIGUSR2 it collects garbage and prints its memory and open files, as JSON. */
import { readdirSync } from 'node:fs';
import '../../helpers/serve.ts';

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const files = readdirSync('/proc/self/fd').length;
  process.stdout.write(`${JSON.stringify({ heap: heapUsed + external, rss, files })}\n`);
});
