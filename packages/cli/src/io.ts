import type { Readable, Writable } from 'node:stream';

/** A stream to write to, which may be a terminal. */
export interface Output {
  /** May give a promise that ends when the text was taken, and fails when it was not. */
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

/** A terminal at which somebody sits who can be asked. */
export interface Terminal {
  input: Readable;
  output: Writable;
}

/** All that a command knows of the process that runs it. */
export interface Io {
  /** What is piped in, for the few commands that read it. */
  stdin: AsyncIterable<string | Uint8Array>;
  /** The result, and nothing else. */
  stdout: Output;
  /** Everything said about the result. */
  stderr: Output;
  /** Undefined where nobody can be asked: input or messages don't go to a terminal. */
  terminal?: Terminal | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  /** Aborts when the process is asked to stop; its reason is the signal's name. */
  signal?: AbortSignal | undefined;
}

/** A text of the environment; an empty one is as good as none. */
export const setting = ({ environment }: Pick<Io, 'environment'>, name: string): string | undefined =>
  environment[name] || undefined;

/** How this command is called where it runs: by pnpm in a clone, by npm in a project, or by its own name. */
export function programName(io: Io): string {
  if (setting(io, 'npm_lifecycle_event') === undefined) return 'topup';
  const agent = setting(io, 'npm_config_user_agent') ?? '';
  return agent.startsWith('pnpm/') ? 'npx -y pnpm@12 topup' : 'npx topup';
}
