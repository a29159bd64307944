import type { CommandContext } from '../context.ts';
import { styleOf } from './style.ts';
import { cut, printable } from './text.ts';

/** Time after which progress is shown, in milliseconds; shorter work shows none. */
const delayMs = 1000;
const frameMs = 100;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const clearLine = '\r\u001b[K';

/** Called with the current step, such as `120 of 300 pages`. */
export interface ReportProgress {
  (words: string): void;
  /** Writes output above the progress line. */
  above<Value>(write: () => Value): Value;
}

const silent: ReportProgress = Object.assign(() => {}, {
  above: <Value>(write: () => Value): Value => write(),
});

/** Shows the running work and its duration on a terminal, from one second on until the work ends. */
export async function withProgress<Value>(
  { io, globals }: CommandContext,
  words: string,
  work: (report: ReportProgress) => Promise<Value>,
): Promise<Value> {
  if (io.stderr.isTTY !== true || globals.quiet) return work(silent);
  const started = performance.now();
  const { paint, columns = 80 } = styleOf(io, io.stderr);
  let current = words;
  let drawn = 0;
  const timer = setInterval(() => {
    const elapsed = performance.now() - started;
    if (elapsed < delayMs) return;
    const seconds = `${Math.floor(elapsed / 1000)} s`;
    const text = cut(printable(`${current} (${seconds})`), columns - 3);
    io.stderr.write(`${clearLine}${paint('waiting', frames[drawn % frames.length] ?? '')} ${text}`);
    drawn += 1;
  }, frameMs);
  timer.unref();
  const wipe = (): void => {
    if (drawn > 0) io.stderr.write(clearLine);
  };
  const report = (next: string): void => {
    current = next;
  };
  const above = <Value>(write: () => Value): Value => {
    wipe();
    return write();
  };
  try {
    return await work(Object.assign(report, { above }));
  } finally {
    clearInterval(timer);
    wipe();
  }
}
