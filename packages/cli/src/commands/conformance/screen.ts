import type { ConformanceResult, ServiceDescription, ServiceDifference } from '@topup-kit/core/conformance';
import type { Look } from '../../output/style.ts';
import { type Column, table } from '../../output/table.ts';
import { printable } from '../../output/text.ts';
import { countOf } from './counts.ts';
import { dialectTable } from './dialect-screen.ts';

const differenceColumns: Column[] = [
  { title: 'OF' },
  { title: 'WHAT' },
  { title: 'REQUEST' },
  { title: 'AT' },
  { title: 'EXPECTED', long: true },
  { title: 'CAME', long: true },
];

const origins = { interface: 'interface', extension: 'this kit' } as const;

const differenceRow = ({ origin, kind, request, at = '', expected, came }: ServiceDifference): string[] => [
  origins[origin],
  kind,
  request,
  at.replace(/^header /, ''),
  expected,
  came,
];

function countLine(
  description: ServiceDescription,
  origin: ConformanceResult['origin'],
  title: string,
): string {
  const { passed, failed, skipped } = countOf(description, origin);
  return `${title.padEnd(11)}${passed} kept, ${failed} not kept, ${skipped} not tried\n`;
}

/** Cases that failed without a word on how the service differs. */
const unexplained = ({ results }: ServiceDescription): string =>
  results
    .filter(({ outcome, difference }) => outcome === 'failed' && !difference)
    .map(({ name, reason = '' }) => `  ${printable(name)}: ${printable(reason)}\n`)
    .join('');

const section = (title: string, body: string): string => (body === '' ? '' : `\n${title}\n${body}`);

/** The report for people: what is kept, where the service differs, how it fills the interface's silence. */
export function conformanceScreen(description: ServiceDescription, look: Look): string {
  const { differences, dialect } = description;
  const rows = differences.map(differenceRow);
  return (
    countLine(description, 'interface', 'Interface') +
    countLine(description, 'extension', 'This kit') +
    section('Differences', rows.length === 0 ? '' : table(differenceColumns, rows, { ...look, indent: 2 })) +
    section('Failed otherwise', unexplained(description)) +
    section('Where the interface is silent', dialectTable(dialect, look))
  );
}
