import { main } from '../../src/main.ts';

// Times are told in the zone of the machine; tests want one that is the same everywhere.
process.env.TZ = 'Asia/Jakarta';

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  environment?: Record<string, string>;
  columns?: number;
  signal?: AbortSignal;
}

/** A command line run in this process, as a user without any configuration of their own. */
export function start(args: string[], { environment = {}, columns, signal }: RunOptions = {}) {
  const written = { stdout: '', stderr: '' };
  const code = main(args, {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
    environment,
    columns,
    signal,
  });
  return { written, code };
}

export async function run(args: string[], options?: RunOptions): Promise<Ran> {
  const { written, code } = start(args, options);
  return { code: await code, ...written };
}

/** Waits until something is so; fails when it takes longer than `patience` milliseconds. */
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
