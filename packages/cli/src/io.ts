import type { Readable, Writable } from 'node:stream';

export interface Output {
  /** Writes a string. May return a promise that resolves after the write, and rejects if it failed. */
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

export interface Terminal {
  input: Readable;
  output: Writable;
}

/** Parts of the process that a command uses. */
export interface Io {
  stdin: AsyncIterable<string | Uint8Array>;
  /** True if stdin is a pipe, which ends with the process at its other end; false for a terminal, a file and `/dev/null`. */
  stdinIsPipe?: boolean | undefined;
  /** Output for results only. */
  stdout: Output;
  /** Output for messages, errors and prompts. */
  stderr: Output;
  /** Terminal; undefined if input or messages are not at a terminal. */
  terminal?: Terminal | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  /** Aborts when the process should stop; the reason is the name of the signal. */
  signal?: AbortSignal | undefined;
}

/** Returns a variable of the environment; undefined if it is empty. */
export const setting = ({ environment }: Pick<Io, 'environment'>, name: string): string | undefined =>
  environment[name] || undefined;

/**
 * Returns how the user started this command: with pnpm in a clone, with npm in a project, or by its name. With `npx -p`, the project may
 * lack the package, and `npx topup` would run another package of that name.
 */
export function programName(io: Io): string {
  const isOwn = setting(io, 'npm_lifecycle_event') !== undefined && !setting(io, 'npm_config_package');
  if (!isOwn) return 'topup';
  const agent = setting(io, 'npm_config_user_agent') ?? '';
  return agent.startsWith('pnpm/') ? 'npx -y pnpm@12 topup' : 'npx topup';
}
