import { constants } from 'node:os';
import { exitCodes, outputError } from './errors/cli-error.ts';
import type { Io, Output } from './io.ts';
import { fail, main } from './main.ts';

/** Each write ends when the text was taken; who reads the output may stop early, and a disk may be full. */
function outputOf(stream: NodeJS.WriteStream): Output {
  // Each write tells its own failure.
  stream.on('error', () => {});
  return {
    write: (text) =>
      new Promise<void>((resolve, reject) =>
        stream.write(text, (error) => (error ? reject(outputError(error)) : resolve())),
      ),
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return stream.columns;
    },
  };
}

/** Aborts when the process is asked to stop: the first signal asks, the second ends at once. */
function stopOnSignals(): AbortSignal {
  const stop = new AbortController();
  const onSignal = (signal: 'SIGINT' | 'SIGTERM'): void => {
    if (stop.signal.aborted) process.exit(128 + constants.signals[signal]);
    stop.abort(signal);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return stop.signal;
}

function ioOfProcess(): Io {
  const { stdout, stderr, env } = process;
  return {
    // Node makes its streams when they are first asked for, and few commands read anything.
    get stdin() {
      return process.stdin;
    },
    stdout: outputOf(stdout),
    stderr,
    get terminal() {
      return stderr.isTTY && process.stdin.isTTY ? { input: process.stdin, output: stderr } : undefined;
    },
    environment: env,
    signal: stopOnSignals(),
  };
}

/** Reports an error with nothing but what is loaded: an upgrade may have replaced the files of this program. */
function reportWithoutFiles(error: unknown): number {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `Error: ${reason}\nThis installation of topup changed or is damaged: run the command again.\n`,
  );
  return exitCodes.failure;
}

/** Runs the command line of this process, and ends the process with its exit code. */
export async function runProcess(args: readonly string[]): Promise<void> {
  // Nobody is left to be told anything.
  process.stderr.on('error', () => {});
  const io = ioOfProcess();
  // An error outside the command, such as in a timer, is reported like any other, and never as a stack.
  process.once('uncaughtException', async (error) => {
    // Only the first error is reported: one that the report itself causes would be reported for ever.
    process.on('uncaughtException', () => {});
    process.exit(await fail(error, args, io).catch(() => reportWithoutFiles(error)));
  });
  process.exitCode = await main(args, io);
  // What was read from may never end by itself.
  if (io.signal?.aborted) process.stdin.destroy();
}
