import { type DialectChanges, kitDialect } from '@topup-kit/core/contract';
import type { Look } from '../../output/style.ts';
import { type Column, table } from '../../output/table.ts';

const columns: Column[] = [
  { title: 'ENTRY' },
  { title: 'SEEN', long: true },
  { title: 'THIS KIT', long: true },
];

/** The zone of a deployment that chooses none. */
const ours = { ...kitDialect, timezone: 'Asia/Jakarta' };

function words(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'as the document' : value.join(', ');
  return String(value);
}

/** Each entry with its value; those within a group as `group.name`. */
const entriesOf = (dialect: DialectChanges): [entry: string, value: string][] =>
  Object.entries(dialect).flatMap(([entry, value]): [string, string][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([name, inside]) => [`${entry}.${name}`, words(inside)])
      : [[entry, words(value)]],
  );

/** What was seen of a dialect, beside this kit's own where that differs. */
export function dialectTable(dialect: DialectChanges, look: Look): string {
  const own = new Map(entriesOf(ours));
  const order = [...own.keys()];
  const seen = entriesOf(dialect).toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  const rows = seen.map(([entry, value]) => {
    const ourValue = own.get(entry) ?? '';
    return [entry, value, ourValue === value ? '' : ourValue];
  });
  return rows.length === 0 ? '' : table(columns, rows, { ...look, indent: 2 });
}
