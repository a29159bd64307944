import { Readable } from 'node:stream';
import type { Terminal } from '../../src/io.ts';
import { main } from '../../src/main.ts';
import { home } from './home.ts';

export { home };

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  environment?: Record<string, string>;
  /** Makes stdout a terminal of this width. */
  columns?: number | undefined;
  /** What stdout does with a text, besides keeping it. */
  onWrite?: (text: string) => unknown;
  /** What is piped in. */
  input?: string;
  /** A terminal for prompts; stderr is a terminal, too. */
  terminal?: Terminal & { columns?: number };
  signal?: AbortSignal;
}

/** Runs a command line in this process, as a user without configuration. */
export function start(
  args: string[],
  { environment = {}, columns, onWrite, input = '', terminal, signal }: RunOptions = {},
) {
  const written = { stdout: '', stderr: '' };
  const code = main(args, {
    stdin: Readable.from([input]),
    stdout: {
      write(text) {
        written.stdout += text;
        return onWrite?.(text);
      },
      isTTY: columns !== undefined,
      columns,
    },
    stderr: {
      write(text) {
        written.stderr += text;
        terminal?.output.write(text);
      },
      isTTY: terminal !== undefined,
      columns: terminal?.columns,
    },
    terminal,
    environment: { HOME: home, NO_COLOR: '1', ...environment },
    signal,
  });
  return { written, code };
}

export async function run(args: string[], options?: RunOptions): Promise<Ran> {
  const { written, code } = start(args, options);
  return { code: await code, ...written };
}

/** Waits until a condition is true; throws after `patience` milliseconds. */
export async function until<Value>(
  look: () => Value | Promise<Value>,
  patience = 5_000,
): Promise<NonNullable<Value>> {
  const end = Date.now() + patience;
  for (;;) {
    const value = await look();
    if (value) return value;
    if (Date.now() > end) throw new Error(`It did not become so within ${patience} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
