import type { SupplierBalance } from '@topup-kit/core/store';
import { currentDisplay } from '../../output/display.ts';
import { isoTime, money, readableDuration, timeInColumn, titleWithZone } from '../../output/format.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';

/** Balance with the purchases of the last days. */
interface Paced extends SupplierBalance {
  spent: number;
  /** Time until the balance is used up, in milliseconds; null without purchases. */
  lasts: number | null;
}

const isLow = ({ balance, alertBelow }: SupplierBalance): boolean => balance < alertBelow;

const columnsAt = (moment: number): ColumnOf<Paced>[] => [
  [{ title: 'SUPPLIER', long: true }, ({ supplier }) => supplier],
  [{ title: 'BALANCE', align: 'right' }, ({ balance }) => money(balance)],
  [{ title: 'ALERT BELOW', align: 'right' }, ({ alertBelow }) => money(alertBelow)],
  [{ title: 'LASTS ABOUT' }, ({ lasts }) => (lasts === null ? 'nothing bought' : readableDuration(lasts))],
  [
    { title: 'STATE', style: (state) => (state === 'low' ? 'bad' : 'good') },
    (row) => (isLow(row) ? 'low' : 'enough'),
  ],
  [{ title: titleWithZone('READ', moment), spare: true }, ({ readAt }) => timeInColumn(readAt)],
];

const documentOf = ({ supplier, balance, alertBelow, readAt, spent, lasts }: Paced) => ({
  supplier,
  balance,
  alert_below: alertBelow,
  low: balance < alertBelow,
  spent,
  lasts_hours: lasts === null ? null : Math.floor(lasts / 3_600_000),
  read_at: isoTime(readAt),
});

export const noun = defineStoreCommand({
  help: `A running server reads the balances. The purchases of the last 3 days give an
estimate of how long each one lasts.`,
  example: 'balance --json',
  async run({ store, deps, path }, context) {
    const { lastingTime, paceMs, reportSales } = await import(
      '@topup-kit/core/features/reports/sales-report'
    );
    const now = deps.worldClock();
    const span = { from: now - paceMs, before: now + 1 };
    const { timezone } = currentDisplay();
    const { rows } = await reportSales({ store, timezone }, { span, by: 'supplier' });
    const spentAt = new Map(rows.map(({ key, cost }) => [key, cost]));
    const balances = (await store.readSupplierBalances()).map((read): Paced => {
      const spent = spentAt.get(read.supplier) ?? 0;
      return { ...read, spent, lasts: lastingTime(read.balance, spent) };
    });
    await context.print({
      document: { days: paceMs / 86_400_000, balances: balances.map(documentOf) },
      ids: balances.map(({ supplier }) => supplier),
      screen: (style) =>
        balances.length === 0 ? '' : tableOf(columnsAt(balances[0]?.readAt ?? 0), balances, style),
    });
    if (balances.length === 0)
      context.remark(
        `No balance in ${path} yet. A server reads it when TOPUP_SUPPLIER and its keys are set.`,
      );
  },
});
