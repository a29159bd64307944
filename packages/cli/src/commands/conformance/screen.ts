import type { ConformanceResult, ServiceDescription, ServiceDifference } from '@topup-kit/conformance';
import { type DialectOverrides, kitDialect } from '@topup-kit/core/contract';
import { isObject } from '../../json.ts';
import type { OutputStyle } from '../../output/style.ts';
import { type Column, type ColumnOf, table, tableOf } from '../../output/table.ts';
import { failedCheck, failedChecks } from './failed-checks.ts';

const origins = { interface: 'interface', extension: 'this kit' } as const;

const differenceColumns: ColumnOf<ServiceDifference>[] = [
  [{ title: 'OF' }, ({ origin }) => origins[origin]],
  [{ title: 'WHAT' }, ({ kind }) => kind],
  [{ title: 'REQUEST' }, ({ request }) => request],
  [{ title: 'AT' }, ({ at = '' }) => at.replace(/^header /, '')],
  [{ title: 'EXPECTED', long: true }, ({ expected }) => expected],
  [{ title: 'CAME', long: true }, ({ received }) => received],
];

function countLine(
  description: ServiceDescription,
  origin: ConformanceResult['origin'],
  title: string,
): string {
  const { passed, failed, skipped } = countOf(description, origin);
  return `${title.padEnd(11)}${passed} passed, ${failed} failed, ${skipped} skipped\n`;
}

const section = (title: string, body: string): string => (body === '' ? '' : `\n${title}\n${body}`);

/** Formats the report for people: passed cases, differences, and the service's behaviour where the interface leaves it open. */
export function conformanceScreen(description: ServiceDescription, style: OutputStyle): string {
  const { differences, dialect, results } = description;
  // Differences that a check found are listed below in full.
  const plain = differences.filter(({ by }) => by === undefined);
  return (
    countLine(description, 'interface', 'Interface') +
    countLine(description, 'extension', 'This kit') +
    section('Fields that differ', tableOf(differenceColumns, plain, { ...style, indent: 2 })) +
    section('Where the interface is silent', dialectTable(dialect, style)) +
    section('Failed checks of the interface', failedChecks(results, 'interface', style)) +
    section(
      "Failed checks of this kit's extensions, which the interface doesn't require",
      failedChecks(results, 'extension', style),
    )
  );
}

const columns: Column[] = [
  { title: 'ENTRY' },
  { title: 'SEEN', long: true },
  { title: 'THIS KIT', long: true },
];

/** Dialect of this kit, with the default time zone of a deployment. */
const ours = { ...kitDialect, timezone: 'Asia/Jakarta' };

function words(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'as the document' : value.join(', ');
  return String(value);
}

/** Returns each entry with its value; nested entries are named `group.name`. */
const entriesOf = (dialect: DialectOverrides): [entry: string, value: string][] =>
  Object.entries(dialect).flatMap(([entry, value]): [string, string][] =>
    isObject(value)
      ? Object.entries(value).map(([name, inside]) => [`${entry}.${name}`, words(inside)])
      : [[entry, words(value)]],
  );

/** Formats the learned dialect, next to the kit's own dialect where they differ. */
function dialectTable(dialect: DialectOverrides, style: OutputStyle): string {
  const own = new Map(entriesOf(ours));
  const order = [...own.keys()];
  const learned = entriesOf(dialect).toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  const rows = learned.map(([entry, value]) => {
    const ourValue = own.get(entry) ?? '';
    return [entry, value, ourValue === value ? '' : ourValue];
  });
  return table(columns, rows, { ...style, indent: 2 });
}

/** Formats the numbers of passed and failed cases of one origin. */
export function countOf(
  { results }: Pick<ServiceDescription, 'results'>,
  origin: ConformanceResult['origin'],
): Record<ConformanceResult['outcome'], number> {
  const count = (outcome: ConformanceResult['outcome']): number =>
    results.filter((result) => result.origin === origin && result.outcome === outcome).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

export const conformanceDocument = (description: ServiceDescription & { baseUrl: string }): object => {
  const { baseUrl, wrote, orders, differences, dialect, unknown, results } = description;
  return {
    baseUrl,
    wrote,
    orders,
    interface: countOf(description, 'interface'),
    extension: countOf(description, 'extension'),
    differences,
    dialect,
    unknown,
    cases: results.map((result) => {
      const { name, origin, outcome, reason, notes } = result;
      const failure = outcome === 'failed' ? failedCheck(result) : undefined;
      return { name, origin, outcome, reason, notes, failure };
    }),
  };
};
