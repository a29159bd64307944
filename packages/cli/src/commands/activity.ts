import type { Localised } from '@topup-kit/core/contract';
import type { StoredActivity } from '@topup-kit/core/store';
import { defineCommand } from '../define-command.ts';
import { filled, wholeNumber } from '../input/arguments.ts';
import { readSpan, whenText } from '../input/moments.ts';
import { isoTime, money, timeInColumn, titleWithZone } from '../output/format.ts';
import { type ColumnOf, tableOf } from '../output/table.ts';
import { storeOption, withOperatorStore } from '../store/open.ts';
import { printPage } from '../store/page.ts';

const documentOf = ({ at, operator, action, subject, amount }: StoredActivity) => ({
  at: isoTime(at),
  operator: operator || null,
  action,
  subject: subject || null,
  amount,
});

type Words = (action: string) => Localised;

const columnsAt = (moment: number, wordsOf: Words): ColumnOf<StoredActivity>[] => [
  [{ title: titleWithZone('WHEN', moment) }, ({ at }) => timeInColumn(at)],
  [{ title: 'OPERATOR', long: true }, ({ operator }) => operator || 'unknown'],
  [{ title: 'DID', long: true }, ({ action }) => wordsOf(action).en],
  [{ title: 'TO', long: true }, ({ subject }) => subject],
  [{ title: 'AMOUNT', align: 'right', spare: true }, ({ amount }) => (amount === null ? '' : money(amount))],
];

export const noun = defineCommand({
  build: (command) =>
    command
      .option('--operator <name>', 'only actions of this operator', filled)
      .option(
        '--since <when>',
        'only actions since this time: 2h (ago), yesterday, a day or a time',
        whenText,
      )
      .option('--until <when>', 'only actions until this time; a date includes that day', whenText)
      .option('--limit <number>', 'maximum number of activities', wholeNumber, 20)
      .option('--cursor <number>', 'value for the next page, from the hint of the previous page', wholeNumber)
      .option(...storeOption),
  help: `It lists changes of orders, payments and refunds, edits of the catalogue,
promos, keys, webhooks, replays of callbacks, logins and ended sessions of the
console, backups, restores and erasures. The operator's name comes from
--operator, TOPUP_OPERATOR or the login.`,
  example: 'activity --since yesterday --operator Dewi',
  run: (context, options) =>
    withOperatorStore(context, { ...options, operator: undefined }, async (operating) => {
      const { operator, since, until, limit, cursor } = options;
      const { activityWords } = await import('@topup-kit/core/engine');
      const span = await readSpan(context.io, { since, until }, operating.deps.worldClock());
      await printPage(context, operating, {
        noun: 'activity',
        command: 'activity',
        limit,
        read: (most) => operating.store.listActivity({ ...span, operator, after: cursor, limit: most }),
        idOf: ({ number }) => String(number),
        documentOf,
        screen: (activities, style) =>
          tableOf(columnsAt(activities[0]?.at ?? 0, activityWords), activities, style),
        flags: { '--operator': operator, '--since': since, '--until': until },
      });
    }),
});
