import type { CommandContext } from '../context.ts';
import { lookOf } from './style.ts';
import { cut, printable } from './text.ts';

const patience = 1000;
const interval = 100;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const clearLine = '\r\u001b[K';

/** Says what is going on now, such as `120 of 300 pages`. */
export interface Tell {
  (words: string): void;
  /** Writes something where the progress stands, which goes on below it. */
  above<Value>(write: () => Value): Value;
}

const silent: Tell = Object.assign(() => {}, { above: <Value>(write: () => Value): Value => write() });

/**
 * Shows on a terminal that something is under way, once it takes longer than a second, and for how long; wiped away
 * when it ends.
 */
export async function withProgress<Value>(
  context: CommandContext,
  words: string,
  work: (tell: Tell) => Promise<Value>,
): Promise<Value> {
  if (context.io.stderr.isTTY !== true || context.globals.quiet) return work(silent);
  const started = performance.now();
  const { paint, columns = 80 } = lookOf(context.io, context.io.stderr);
  let now = words;
  let drawn = 0;
  const timer = setInterval(() => {
    const elapsed = performance.now() - started;
    if (elapsed < patience) return;
    const seconds = `${Math.floor(elapsed / 1000)} s`;
    const text = cut(printable(`${now} (${seconds})`), columns - 3);
    context.io.stderr.write(`${clearLine}${paint('waiting', frames[drawn % frames.length] ?? '')} ${text}`);
    drawn += 1;
  }, interval);
  timer.unref();
  const wipe = (): void => {
    if (drawn > 0) context.io.stderr.write(clearLine);
  };
  const say = (next: string): void => {
    now = next;
  };
  const above = <Value>(write: () => Value): Value => {
    wipe();
    return write();
  };
  try {
    return await work(Object.assign(say, { above }));
  } finally {
    clearInterval(timer);
    wipe();
  }
}
