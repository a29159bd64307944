export interface Writer {
  write(text: string): unknown;
}

/** All that a command knows of the process that runs it. */
export interface Io {
  /** The result, and nothing else. */
  stdout: Writer;
  /** Everything said about the result. */
  stderr: Writer;
  environment: Readonly<Record<string, string | undefined>>;
  /** Width of the terminal that stdout is; undefined when it is none. */
  columns?: number | undefined;
  /** Aborts when the process is asked to stop; its reason is the signal's name. */
  signal?: AbortSignal | undefined;
}

/** A text of the environment; an empty one is as good as none. */
export const setting = ({ environment }: Io, name: string): string | undefined =>
  environment[name] || undefined;
