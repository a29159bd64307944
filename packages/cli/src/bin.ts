#!/usr/bin/env node
import './older-node.ts';
import { version } from './version.ts';

/** Minimum version of Node. Older versions would fail with unclear errors. Stores and servers need Node 24, see newest-node.ts. */
const neededNode = 20;

const args = process.argv.slice(2);

// Loads nothing, because scripts often ask for the version.
if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // If the reader stopped early, this is not a failure.
    if (code === 'EPIPE') return;
    process.stderr.write(`Error: The output can't be written: ${message}.\n`);
    process.exitCode = 1;
  });
  process.stdout.write(`${version}\n`);
} else if (Number.parseInt(process.versions.node, 10) < neededNode) {
  process.stderr.write(
    `topup needs Node ${neededNode} or later; this is ${process.version}.\n` +
      'Run it with npx -p node@24 -p FILE.tgz topup, in a clone with npx -y pnpm@12 topup, or as one executable: docs/install.md.\n',
  );
  process.exitCode = 1;
} else {
  const { keepCompiled } = await import('./compile-cache.ts');
  keepCompiled();
  const { runProcess } = await import('./process.ts');
  await runProcess(args);
}
