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
function stopOnSignals(host: NodeJS.Process): AbortSignal {
  const stop = new AbortController();
  const onSignal = (signal: 'SIGINT' | 'SIGTERM'): void => {
    if (stop.signal.aborted) host.exit(128 + constants.signals[signal]);
    stop.abort(signal);
  };
  host.on('SIGINT', onSignal);
  host.on('SIGTERM', onSignal);
  return stop.signal;
}

/** A pipe is a socket where another Node made it. */
function isPipe(descriptor: number): boolean {
  const status = fstatSync(descriptor);
  return status.isFIFO() || status.isSocket();
}

const ignore = (): void => {};

/** Where messages go. Nobody reads them once stderr is closed, which is no failure. */
function messages({ stderr }: NodeJS.Process): NodeJS.WriteStream {
  if (!stderr.listeners('error').includes(ignore)) stderr.on('error', ignore);
  return stderr;
}

function ioOf(host: NodeJS.Process): Io {
  return {
    // Read only when needed, because Node creates its streams on first access, which takes longer than printing help.
    get stdin() {
      return host.stdin;
    },
    get stdinIsPipe() {
      return isPipe(0);
    },
    stdout: outputOf(host.stdout),
    get stderr() {
      return messages(host);
    },
    get terminal() {
      const output = messages(host);
      return output.isTTY && host.stdin.isTTY ? { input: host.stdin, output } : undefined;
    },
    environment: host.env,
    signal: stopOnSignals(host),
  };
}

/** How long a command that was stopped may still write to pipes, in milliseconds. */
const exitAfterMs = 200;

/** Reports an error without loading anything: an upgrade may have replaced the files of this program. */
function reportWithoutFiles(error: unknown, host: NodeJS.Process): number {
  const isLimit = error instanceof Error && 'code' in error && error.code === 'EMFILE';
  const next = isLimit
    ? 'Raise the limit of open files: ulimit -n 65536.'
    : 'This installation of topup changed or is damaged: run the command again.';
  messages(host).write(`Error: ${reasonOf(error)}\n${next}\n`);
  return exitCodes.failure;
}

/** Runs the command line of a process, and ends the process with its exit code. */
export async function runProcess(args: readonly string[], host: NodeJS.Process = process): Promise<void> {
  const io = ioOf(host);
  // An error outside the command, such as in a timer, is reported like any other, without a stack trace.
  host.once('uncaughtException', async (error) => {
    // Only the first error is reported, because reporting may fail in turn.
    host.on('uncaughtException', () => {});
    host.exit(await fail(error, args, io).catch(() => reportWithoutFiles(error, host)));
  });
  host.exitCode = await main(args, io);
  if (!io.signal?.aborted) return;
  // stdin may never end by itself, and a provider that is slow to respond would keep the process for as long.
  host.stdin.destroy();
  setTimeout(() => host.exit(), exitAfterMs).unref();
}
