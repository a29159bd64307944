import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { runProcess } from '../../src/process.ts';
import { home } from './home.ts';

interface Given {
  /** What the reader of stdout does; by default, it takes everything. */
  write?: (text: string) => Error | null;
  isTTY?: boolean;
  environment?: Record<string, string>;
}

/** What a command sees of its process, and how that ended. */
export function fakeProcess({ write = () => null, isTTY = false, environment = {} }: Given = {}) {
  const said = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof said, check: (text: string) => Error | null): Writable =>
    Object.assign(
      new Writable({
        decodeStrings: false,
        write(text: string, _encoding, done) {
          const error = check(text);
          if (!error) said[name] += text;
          done(error);
        },
      }),
      { isTTY, columns: 100 },
    );
  const exits: (number | undefined)[] = [];
  const host = Object.assign(new EventEmitter(), {
    stdin: Object.assign(new PassThrough(), { isTTY, setRawMode: () => {} }),
    stdout: stream('stdout', write),
    stderr: stream('stderr', () => null),
    env: { HOME: home, ...environment },
    exitCode: undefined as number | undefined,
    exit: (code?: number) => void exits.push(code),
  });
  return {
    host,
    said,
    exits,
    // Safe: it has what a command uses of its process.
    run: (...args: string[]) => runProcess(args, host as unknown as NodeJS.Process),
  };
}
