import type { Readable, Writable } from 'node:stream';

/** An output stream, which may be a terminal. */
export interface Output {
  /** May return a promise that resolves when the text was written, and rejects when it was not. */
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

export interface Terminal {
  input: Readable;
  output: Writable;
}

/** Everything that a command uses of its process. */
export interface Io {
  stdin: AsyncIterable<string | Uint8Array>;
  /** Whether stdin is a pipe, which ends with the process at its other end; false for a terminal, a file and `/dev/null`. */
  stdinIsPipe?: boolean | undefined;
  /** For results only. */
  stdout: Output;
  /** For messages, errors and prompts. */
  stderr: Output;
  /** Undefined when input or messages don't go to a terminal. */
  terminal?: Terminal | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  /** Aborts when the process should stop; the reason is the name of the signal. */
  signal?: AbortSignal | undefined;
}

/** A variable of the environment; undefined when it is empty. */
export const setting = ({ environment }: Pick<Io, 'environment'>, name: string): string | undefined =>
  environment[name] || undefined;

/** How the user started this command: with pnpm in a clone, with npm in a project, or by its name. */
export function programName(io: Io): string {
  if (setting(io, 'npm_lifecycle_event') === undefined) return 'topup';
  const agent = setting(io, 'npm_config_user_agent') ?? '';
  return agent.startsWith('pnpm/') ? 'npx -y pnpm@12 topup' : 'npx topup';
}
