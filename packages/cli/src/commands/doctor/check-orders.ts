import { orderFlags } from '../../errors/order-flags.ts';
import { type Io, programName } from '../../io.ts';
import { readableTime } from '../../output/format.ts';
import { shellWord } from '../../output/text.ts';
import type { PendingOrder } from '../../pending-orders/journal.ts';
import { abandonedEntries, journalFolder } from '../../pending-orders/journal.ts';
import { type Check, failed, good, warning } from './check.ts';

const name = 'orders';

/** The command that began the order: run again, it finishes it. */
function sameCommand({ request, base_url }: PendingOrder, program: string): string {
  const given = new Map(Object.entries(request));
  const flags = Object.entries(orderFlags).flatMap(([field, flag]) => {
    const value = given.get(field);
    return value === undefined || value === null ? [] : [`${flag} ${shellWord(String(value))}`];
  });
  return [program, 'orders create', ...flags, `--base-url ${shellWord(base_url)}`].join(' ');
}

/** Whether orders were begun here whose end nobody was told. */
export function checkOrders(io: Io): Check {
  const notes = abandonedEntries(journalFolder(io)).map(({ file, read }) => ({ file, order: read() }));
  const unreadable = notes.find(({ order }) => order === 'unreadable');
  if (unreadable)
    return failed(
      name,
      `${unreadable.file} is no note of an order that was begun, any more`,
      'Look for the order at the service, then remove the file.',
    );
  const begun = notes.flatMap(({ order }) => (typeof order === 'object' ? [order] : []));
  const [oldest] = begun.toSorted((one, other) => Date.parse(one.begun_at) - Date.parse(other.begun_at));
  if (!oldest) return good(name, 'none was begun here and not finished');
  return warning(
    name,
    `${begun.length === 1 ? '1 order was' : `${begun.length} orders were`} begun here and not finished, the oldest ${readableTime(oldest.begun_at)}`,
    `The same command finishes it:\n${sameCommand(oldest, programName(io))}`,
  );
}
