#!/usr/bin/env node
import { constants } from 'node:os';

const stop = new AbortController();

/** The first signal asks to stop, the second ends at once. */
function onSignal(signal: 'SIGINT' | 'SIGTERM'): void {
  if (stop.signal.aborted) process.exit(128 + constants.signals[signal]);
  stop.abort(signal);
}

process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);
// Whoever reads the output may stop early, as `head` does: that is no failure.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));

/** Older ones lack what the store and the client are built on, and would fail with riddles. */
const neededNode = 24;

if (Number.parseInt(process.versions.node, 10) < neededNode) {
  process.stderr.write(`topup needs Node ${neededNode} or later; this is ${process.version}.\n`);
  process.exitCode = 1;
} else {
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    environment: process.env,
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    signal: stop.signal,
  });
}
