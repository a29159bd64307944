import { fstatSync } from 'node:fs';
import { constants } from 'node:os';
import { exitCodes, outputError, reasonOf } from './errors/cli-error.ts';
import type { Io, Output } from './io.ts';
import { fail, main } from './main.ts';

/** Creates an output. A write resolves when the stream has accepted the text, and rejects if its reader closed it or the disk is full. */
function outputOf(stream: NodeJS.WriteStream): Output {
  // Each write reports its own error.
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

/** Creates a signal that aborts on the first SIGINT or SIGTERM. A second one ends the process immediately. */
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

/** Tells whether a file descriptor is a pipe. A pipe from another Node process is a socket. */
function isPipe(descriptor: number): boolean {
  const status = fstatSync(descriptor);
  return status.isFIFO() || status.isSocket();
}

const ignore = (): void => {};

/** Returns the stream for messages. A closed stderr is not a failure. */
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

/** Maximum time for writing to pipes after a command was stopped, in milliseconds. */
const exitAfterMs = 200;

/** Reports an error without loading more code, because an upgrade may have replaced the program's files. */
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
  // An error outside the command, such as in a timer, is also reported without a stack trace.
  host.once('uncaughtException', async (error) => {
    // Only the first error is reported, because reporting may itself fail.
    host.on('uncaughtException', () => {});
    host.exit(await fail(error, args, io).catch(() => reportWithoutFiles(error, host)));
  });
  host.exitCode = await main(args, io);
  if (!io.signal?.aborted) return;
  // stdin may never end, and a slow provider would keep the process running.
  host.stdin.destroy();
  setTimeout(() => host.exit(), exitAfterMs).unref();
}
