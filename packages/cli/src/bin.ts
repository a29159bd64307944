#!/usr/bin/env node
import { version } from './version.ts';

const args = process.argv.slice(2);

// Whoever reads the output may stop early, as `head` does: that is no failure.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));

// Asked by scripts and by people who wonder whether it is there at all: nothing needs loading for it.
if (args.length === 1 && args[0] === '--version') process.stdout.write(`${version}\n`);
else {
  const { runProcess } = await import('./process.ts');
  await runProcess(args);
}
