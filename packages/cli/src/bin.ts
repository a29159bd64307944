#!/usr/bin/env node
import { version } from './version.ts';

const args = process.argv.slice(2);

// Asked by scripts and by people who wonder whether it is there at all: nothing needs loading for it.
if (args.length === 1 && args[0] === '--version') {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // Whoever reads it may stop early: that is no failure.
    if (code === 'EPIPE') return;
    process.stderr.write(`Error: The output can't be written: ${message}.\n`);
    process.exitCode = 1;
  });
  process.stdout.write(`${version}\n`);
} else {
  const { runProcess } = await import('./process.ts');
  await runProcess(args);
}
