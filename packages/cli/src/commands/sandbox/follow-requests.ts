import type { JournalEntry } from '@topup-kit/core/features/sandbox';
import type { CommandContext } from '../../context.ts';
import { timeOfDay } from '../../output/format.ts';
import type { OutputStyle } from '../../output/style.ts';
import { printable } from '../../output/text.ts';
import { poll, usualInterval } from '../listen/follow.ts';
import { askRequests, mostRequests, statusText, styleOfStatus } from './ask-requests.ts';
import type { Controls } from './controls.ts';

const isSame = (a: JournalEntry, b: JournalEntry): boolean =>
  a.number === b.number && a.request_id === b.request_id && a.at_ms === b.at_ms;

/** Creates a reader of new requests, oldest first. A restarted sandbox counts from 1 again. */
function createReader(controls: Controls, onRestart: () => void) {
  const since = (number: number) => askRequests(controls, `after=${number}&limit=${mostRequests}`);
  let last: JournalEntry | undefined;
  let hasStarted = false;

  async function readNew(): Promise<JournalEntry[]> {
    if (!hasStarted) {
      [last] = await askRequests(controls, 'limit=1');
      hasStarted = true;
      return [];
    }
    const known = last;
    if (!known) return since(0);
    // The result includes the last known request. If that is missing, the journal is a new one.
    const entries = await since(known.number - 1);
    const index = entries.findIndex((entry) => isSame(entry, known));
    if (index >= 0) return entries.slice(0, index);
    const oldest = entries.at(-1);
    if (oldest && oldest.number > known.number) return entries;
    onRestart();
    last = undefined;
    return since(0);
  }
  return async () => {
    const entries = await readNew();
    last = entries[0] ?? last;
    return { items: entries.toReversed(), isLast: true };
  };
}

/** Formats an entry: `10:00:31  201  POST /api/order  INV-20260329093000-ABCDEFGH`. */
function entryLine(entry: JournalEntry, { paint }: OutputStyle): string {
  const status = statusText(entry);
  const details = [entry.error_code, entry.order_id, `${entry.duration_ms} ms`].filter(
    (fact) => fact !== null,
  );
  const request = `${entry.method.padEnd(4)} ${entry.target}`;
  const words = [request, ...details].map(printable).join('  ');
  return `${timeOfDay(entry.at_ms)}  ${paint(styleOfStatus(status), printable(status))}  ${words}\n`;
}

/** Prints the requests to a sandbox until the process is stopped; stopping is not an error. */
export async function followRequests(context: CommandContext, controls: Controls): Promise<void> {
  const { signal = new AbortController().signal } = context.io;
  const root = printable(controls.root);
  const read = createReader(controls, () => context.remark(`${root} was restarted.`));
  const notices = {
    onStart: () => context.remark(`Following the requests to ${root}. Ctrl+C stops.`),
    onLost: ({ message }: Error) =>
      context.remark(`${message} The list of requests continues when the sandbox responds again.`),
    onBack: () => context.remark(`${root} responds again.`),
  };
  for await (const entries of poll(read, signal, notices, usualInterval(controls.root)))
    for (const entry of entries)
      await context.printNext({
        document: entry,
        ids: [String(entry.number)],
        screen: (style) => entryLine(entry, style),
      });
}
