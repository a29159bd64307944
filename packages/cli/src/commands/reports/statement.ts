import { createReadStream } from 'node:fs';
import type { StatementPayment } from '@topup-kit/core/features/reports/settlement';
import type { StatementColumns } from '@topup-kit/providers/provider';
import { CliError, exitCodes, reasonOf, systemCode } from '../../errors/cli-error.ts';
import { CsvError, csvRows } from '../../input/csv.ts';
import { stopped } from '../../input/prompts.ts';
import { printable } from '../../output/text.ts';

const unusable = (message: string, hint?: string): CliError =>
  new CliError(message, { code: 'STATEMENT', exitCode: exitCodes.failure, hint });

const plain = (title: string): string => title.trim().toLowerCase().replaceAll(/[ -]/g, '_');

/** Returns the position of each value in a row; null if a required column is missing. */
function placesOf(titles: readonly string[], columns: StatementColumns) {
  const named = titles.map(plain);
  const place = (names: readonly string[]): number =>
    named.indexOf(names.find((name) => named.includes(name)) ?? 'none of them');
  const places = {
    reference: place(columns.reference),
    orderId: place(columns.orderId),
    amount: place(columns.amount),
    status: place(columns.status),
    paidAt: place(columns.paidAt),
  };
  return places.reference < 0 || places.amount < 0 || places.status < 0 ? null : places;
}

/** Parses whole rupiah, such as `40000` or `40000.00`; null for `40.000`, which may mean thousands. */
function amountOf(text: string): number | null {
  const amount = /^\d{1,15}(\.00?)?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(amount) ? amount : null;
}

/** Parses unix seconds or a time. A time without an offset is in the shop's time zone. Returns null for any other text. */
function parseMoment(text: string, localMoment: (local: string) => number): number | null {
  if (/^\d{9,11}$/.test(text)) return Number(text) * 1_000;
  const [, day, time, offset] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  if (day === undefined || Number.isNaN(Date.parse(`${day}T${time}Z`))) return null;
  return offset === undefined ? localMoment(`${day}T${time}`) : Date.parse(`${day}T${time}${offset}`);
}

/** Names the columns that a statement needs, for a message. */
const wanted = ({ reference, amount, status, orderId, paidAt }: StatementColumns): string =>
  `${[reference, amount, status].map((names) => names.join(' or ')).join(', ')}; and if it has them ${[orderId, paidAt].map((names) => names.join(' or ')).join(', ')}`;

/**
 * Reads the payments of a gateway's statement row by row.
 * @throws CliError if the file is unreadable or has another format, or if a row has no readable amount or time.
 */
export async function* readStatement(
  file: string,
  {
    columns,
    localMoment,
    signal,
  }: {
    columns: StatementColumns;
    localMoment: (local: string) => number;
    /** Stops reading. */
    signal: AbortSignal | undefined;
  },
): AsyncGenerator<StatementPayment> {
  let places: ReturnType<typeof placesOf> | undefined;
  const name = printable(file);
  try {
    for await (const { line, cells } of csvRows(
      createReadStream(file, { encoding: 'utf8', ...(signal && { signal }) }),
    )) {
      if (places === undefined) {
        places = placesOf(cells, columns);
        if (places) continue;
        throw unusable(
          `${name} is not a readable statement: its first line must name the columns ${wanted(columns)}.`,
        );
      }
      const at = (place: number): string => cells[place] ?? '';
      if (!places || !columns.paid.includes(at(places.status).toUpperCase())) continue;
      const [amount, time] = [amountOf(at(places.amount)), at(places.paidAt)];
      if (amount === null)
        throw unusable(
          `${name}, line ${line}: "${printable(at(places.amount))}" is not an amount in whole rupiah.`,
        );
      const paidAt = time === '' ? null : parseMoment(time, localMoment);
      if (time !== '' && paidAt === null)
        throw unusable(
          `${name}, line ${line}: "${printable(time)}" is not a time such as 2026-12-31 18:00:00.`,
        );
      if (at(places.reference) === '') throw unusable(`${name}, line ${line}: the reference is missing.`);
      yield { reference: at(places.reference), orderId: at(places.orderId) || null, amount, at: paidAt };
    }
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    if (signal?.aborted) throw stopped(signal);
    if (cause instanceof CsvError) throw unusable(`${name}: ${cause.message}`);
    throw new CliError(`${name} can't be read: ${reasonOf(cause)}.`, {
      code: 'STATEMENT',
      exitCode: systemCode(cause) === 'ENOENT' ? exitCodes.notFound : exitCodes.failure,
      cause,
    });
  }
  if (places === undefined)
    throw unusable(`${name} is empty: its first line must name the columns ${wanted(columns)}.`);
}
