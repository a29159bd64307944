import { PassThrough } from 'node:stream';
import { until } from './run.ts';

/** A terminal in this process; for a real one there is `openTerminal`. */
export function fakeTerminal() {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = '';
  output.on('data', (chunk) => (shown += chunk));
  return {
    input,
    output,
    /** Waits for a prompt, and answers it. */
    async answer(question: string, typed: string): Promise<void> {
      await until(() => shown.includes(question));
      shown = '';
      input.write(typed);
    },
    shown: () => shown,
  };
}
