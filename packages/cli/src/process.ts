import { fstatSync } from 'node:fs';
import { constants } from 'node:os';
import { exitCodes, outputError, reasonOf } from './errors/cli-error.ts';
import type { Io, Output } from './io.ts';
import { fail, main } from './main.ts';

/**
 * Each write resolves when the stream has taken the text, and rejects when the reader closed it or the disk is full.
 */
function outputOf(stream: NodeJS.WriteStream): Output {
  // Errors are reported by each write.
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

/** Aborts on the first SIGINT or SIGTERM; a second one ends the process at once. */
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

/** A pipe is a socket where another Node made it. */
function isPipe(descriptor: number): boolean {
  const status = fstatSync(descriptor);
  return status.isFIFO() || status.isSocket();
}

const ignore = (): void => {};

/** Where messages go. Nobody reads them once stderr is closed, which is no failure. */
function messages(): NodeJS.WriteStream {
  const { stderr } = process;
  if (!stderr.listeners('error').includes(ignore)) stderr.on('error', ignore);
  return stderr;
}

function ioOfProcess(): Io {
  return {
    // Read only when needed, because Node creates its streams on first access, which takes longer than printing help.
    get stdin() {
      return process.stdin;
    },
    get stdinIsPipe() {
      return isPipe(0);
    },
    stdout: outputOf(process.stdout),
    get stderr() {
      return messages();
    },
    get terminal() {
      const output = messages();
      return output.isTTY && process.stdin.isTTY ? { input: process.stdin, output } : undefined;
    },
    environment: process.env,
    signal: stopOnSignals(),
  };
}

/** How long a command that was stopped may still write to pipes, in milliseconds. */
const exitAfterMs = 200;

/** Reports an error without loading anything: an upgrade may have replaced the files of this program. */
function reportWithoutFiles(error: unknown): number {
  const isLimit = error instanceof Error && 'code' in error && error.code === 'EMFILE';
  const next = isLimit
    ? 'Raise the limit of open files: ulimit -n 65536.'
    : 'This installation of topup changed or is damaged: run the command again.';
  messages().write(`Error: ${reasonOf(error)}\n${next}\n`);
  return exitCodes.failure;
}

/** Runs the command line of this process, and ends the process with its exit code. */
export async function runProcess(args: readonly string[]): Promise<void> {
  const io = ioOfProcess();
  // An error outside the command, such as in a timer, is reported like any other, without a stack trace.
  process.once('uncaughtException', async (error) => {
    // Only the first error is reported, because reporting may fail in turn.
    process.on('uncaughtException', () => {});
    process.exit(await fail(error, args, io).catch(() => reportWithoutFiles(error)));
  });
  process.exitCode = await main(args, io);
  if (!io.signal?.aborted) return;
  // stdin may never end by itself, and a provider that is slow to respond would keep the process for as long.
  process.stdin.destroy();
  setTimeout(() => process.exit(), exitAfterMs).unref();
}
