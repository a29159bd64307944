#!/usr/bin/env node
import { version } from './version.ts';

/** Older ones lack what the store and the client are built on, and would fail with riddles. */
const neededNode = 24;

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
} else if (Number.parseInt(process.versions.node, 10) < neededNode) {
  process.stderr.write(`topup needs Node ${neededNode} or later; this is ${process.version}.\n`);
  process.exitCode = 1;
} else {
  const { keepCompiled } = await import('./compile-cache.ts');
  keepCompiled();
  const { runProcess } = await import('./process.ts');
  await runProcess(args);
}
