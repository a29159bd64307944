import type { SettlementDifference, SettlementResult } from '@topup-kit/core/features/reports/settlement';
import { defineCommand, type NewCommand } from '../../define-command.ts';
import { exitCodes, QuietExit, usageError } from '../../errors/cli-error.ts';
import { readSpan, whenText } from '../../input/moments.ts';
import { checkCsv, printCsv, separatorOption } from '../../output/csv.ts';
import { currentDisplay } from '../../output/display.ts';
import {
  counted,
  isoTimeOrNull,
  money,
  readableTime,
  timeInColumn,
  titleWithZone,
} from '../../output/format.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';
import { storeOption, withOperatorStore } from '../../store/open.ts';
import { readStatement } from './statement.ts';

const build = (command: NewCommand) =>
  command
    .requiredOption('--gateway <name>', 'gateway of the statement')
    .requiredOption('--file <path>', 'its statement as CSV')
    .option('--since <when>', 'start of the statement (default: its first payment)', whenText)
    .option(
      '--until <when>',
      'end of the statement; a date includes that day (default: its last payment)',
      whenText,
    )
    .option('--csv', 'print the differences as CSV')
    .addOption(separatorOption())
    .option(...storeOption);

async function columnsOf(name: string) {
  const { gateways } = await import('@topup-kit/providers/registry');
  const readable = gateways.filter(({ statement }) => statement !== undefined);
  const columns = readable.find((gateway) => gateway.name === name)?.statement;
  if (columns) return columns;
  const names = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
    readable.map(({ name }) => name),
  );
  throw usageError(`--gateway takes ${names}, not "${name}".`);
}

const words = {
  'missing-here': 'missing here',
  'missing-there': 'missing there',
  'other-amount': 'other amount',
} as const;

const amountOrNone = (amount: number | null): string => (amount === null ? '' : money(amount));

const columns = (about: number): ColumnOf<SettlementDifference>[] => [
  [{ title: 'WHAT' }, ({ kind }) => words[kind]],
  [{ title: 'REFERENCE' }, ({ reference }) => reference],
  [{ title: 'ORDER' }, ({ orderId }) => orderId ?? ''],
  [{ title: 'STATE', long: true, spare: true }, ({ state }) => state ?? ''],
  [{ title: 'STATEMENT', align: 'right' }, ({ there }) => amountOrNone(there)],
  [{ title: 'HERE', align: 'right' }, ({ here }) => amountOrNone(here)],
  [{ title: titleWithZone('PAID', about), spare: true }, ({ at }) => (at === null ? '' : timeInColumn(at))],
];

const documentOf = ({ kind, reference, orderId, state, there, here, at }: SettlementDifference) => ({
  difference: kind.replace('-', '_'),
  payment_reference: reference,
  order_id: orderId,
  state,
  statement_amount: there,
  store_amount: here,
  paid_at: isoTimeOrNull(at),
});

const csvTitles = [
  'difference',
  'payment_reference',
  'order_id',
  'state',
  'statement_amount',
  'store_amount',
  'paid_at',
];

function summary({ payments, matched, differences, span }: SettlementResult): string {
  const of = `${counted(payments, 'payment')} in the statement, ${matched} as in the store`;
  const rest = differences.length === 0 ? 'no differences' : counted(differences.length, 'difference');
  const time =
    span === null
      ? "\nThe statement has no times, so missing payments can't be found: give --since and --until."
      : `\nThe statement was checked for every payment from ${readableTime(span.from)} to ${readableTime(span.before)}.`;
  return `${of}, ${rest}.${time}`;
}

export const settlement = defineCommand({
  name: 'settlement',
  description: "Compare a gateway's statement with the payments of the store; exits with 1 when they differ",
  build,
  example: 'report settlement --gateway NAME --file statement.csv --since 2026-11-01 --until 2026-11-30',
  async run(context, options) {
    checkCsv(context, options);
    const { gateway, file } = options;
    const statementColumns = await columnsOf(gateway);
    const { localMoment, zonedTime } = await import('@topup-kit/core/engine');
    const { compareStatement } = await import('@topup-kit/core/features/reports/settlement');
    let differs = false;
    await withOperatorStore(context, options, async ({ store, deps }) => {
      const { from, before } = await readSpan(context.io, options, deps.worldClock());
      const { timezone } = currentDisplay();
      const statement = readStatement(file, {
        columns: statementColumns,
        localMoment: (local) => localMoment(timezone, local),
        signal: context.io.signal,
      });
      const result = await compareStatement({ store, gateway }, statement, { from, before });
      const { differences, payments, matched } = result;
      differs = differences.length > 0;
      if (options.csv) {
        const timeAt = zonedTime(timezone);
        const rows = differences.map((difference) => ({
          ...documentOf(difference),
          paid_at: difference.at === null ? null : timeAt(difference.at).iso,
        }));
        return printCsv(context, csvTitles, rows.map(Object.values), options.separator);
      }
      await context.print({
        document: {
          gateway,
          payments,
          matched,
          from: isoTimeOrNull(result.span?.from ?? null),
          before: isoTimeOrNull(result.span?.before ?? null),
          differences: differences.map(documentOf),
        },
        ids: differences.map(({ reference }) => reference),
        screen: (style) => tableOf(columns(result.span?.from ?? deps.worldClock()), differences, style),
      });
      context.remark(`${differs ? '\n' : ''}${summary(result)}`);
    });
    if (differs) throw new QuietExit(exitCodes.failure);
  },
});
