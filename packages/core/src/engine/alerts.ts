import { formatMoney } from '../contract/index.ts';
import type {
  BackupState,
  ProviderHealthIssue,
  RaisedAlert,
  Store,
  SupplierBalance,
} from '../store/index.ts';
import { houseAlerts, type limitAlerts } from './alert-kinds.ts';
import { type BelowCost, type CostSource, costWords, findBelowCost } from './catalog/costs.ts';
import { findPendingItems, type PendingItem } from './delivery/purchase.ts';
import { isHeldUp } from './delivery/results.ts';
import { saidLately } from './suppliers.ts';

/** A problem that an operator must solve. */
export interface AlertOf<Kind extends string> {
  kind: Kind;
  /** The first ten ids that it concerns: orders, payments to reconcile, refunds, products, the supplier, providers, or callbacks. */
  names: string[];
  /**
   * Its distinct subjects, up to {@link maxCount}: orders, payments and refunds, which need individual actions; or the supplier and the
   * providers, for which one deposit or setting solves all problems.
   */
  subjects: string[];
  /** The total number, counted up to {@link maxCount}. */
  count: number;
  /** The alert as a sentence without the names. */
  sentence: string;
  /** For stuck and contradicted orders, the units to look for at the supplier. */
  items?: PendingItem[];
  /** For stuck orders, the suppliers' distinct reasons for the named orders. */
  reasons?: string[];
  /** For requests that limits rejected, the end of the alert in unix milliseconds of real time. */
  until?: number;
}

/** Requests that limits of keys rejected, and that the store's alert doesn't contain yet. */
export interface RejectedByLimits {
  count: number;
  keyIds: readonly string[];
}

/** Maximum number of names in an alert, and the number up to which it counts. */
const maxNames = 10;
const maxCount = 1_000;

/** Time that a delivery or payment may take without an outcome, in milliseconds of world time. */
export const stuckAfterMs = 15 * 60_000;
const unclearAfter = 5 * 60_000;

/**
 * Time that a refund may wait for payment by hand, in milliseconds of world time. The runbook tells operators to check refunds once a day.
 */
const unpaidAfter = 24 * 60 * 60_000;

export type HouseAlertSource = Pick<
  Store,
  | 'findProblemOrders'
  | 'listReconciliations'
  | 'listRefunds'
  | 'readSupplierBalances'
  | 'readDisplay'
  | 'readProviderProblems'
  | 'readBackupState'
  | 'findOrder'
  | 'findUnits'
> &
  CostSource;

/** Creates an alert with these names and the rest of its sentence; none without names. */
export function alertAbout<Kind extends string>(
  kind: Kind,
  [noun, singular, plural]: readonly [noun: string, singular: string, plural: string],
  ids: readonly string[],
  { rest = '', subjects = ids.slice(0, maxCount) }: { rest?: string; subjects?: string[] } = {},
): AlertOf<Kind>[] {
  const count = Math.min(ids.length, maxCount);
  if (count === 0) return [];
  const amount = `${ids.length > maxCount ? 'over ' : ''}${count.toLocaleString('en')}`;
  const sentence =
    count === 1 ? singular.replace('#', `${amount} ${noun}`) : plural.replace('#', `${amount} ${noun}s`);
  return [{ kind, names: ids.slice(0, maxNames), subjects, count, sentence: sentence + rest }];
}

type Alert = AlertOf<keyof typeof houseAlerts>;

/** Kinds that have sentences in the table. */
type Described = {
  [Kind in Alert['kind']]: (typeof houseAlerts)[Kind] extends { sentences: unknown } ? Kind : never;
}[Alert['kind']];

const about = (kind: Described, ids: readonly string[], more?: Parameters<typeof alertAbout>[3]): Alert[] =>
  alertAbout(kind, houseAlerts[kind].sentences, ids, more);

type Money = (amount: number) => string;

function waitingForBalance(
  orders: readonly string[],
  balances: readonly SupplierBalance[],
  money: Money,
): Alert[] {
  const amounts = balances.map(({ supplier, balance }) => `${supplier} had ${money(balance)}`);
  const read = amounts.length === 0 ? '' : ` (${amounts.join(', ')} at the last check)`;
  return about('waiting-for-balance', orders, { rest: read, subjects: ['supplier'] });
}

function lowBalance(balances: readonly SupplierBalance[], money: Money): Alert[] {
  const low = balances.filter(({ balance, alertBelow }) => balance < alertBelow);
  if (low.length === 0) return [];
  const amounts = low.map(
    ({ supplier, balance, alertBelow }) => `${supplier} is ${money(balance)}, below ${money(alertBelow)}`,
  );
  const names = low.map(({ supplier }) => supplier);
  const sentence = `The balance at the supplier ${amounts.join('; at ')}`;
  return [{ kind: 'low-balance', names, subjects: names, count: names.length, sentence }];
}

function productsBelowCost(products: readonly BelowCost[], money: Money): Alert[] {
  const amounts = products
    .slice(0, maxNames)
    .map((product) => costWords(product, money))
    .join(', ');
  const more = products.length > maxNames ? ' and others' : '';
  const codes = products.map(({ product }) => product.code);
  return about('products-below-cost', codes, { rest: `: ${amounts}${more}` });
}

/** The purpose of each kind of request. */
const purposes: Record<ProviderHealthIssue['call'], string> = {
  access: 'any request',
  payments: 'creating payments',
  purchases: 'buying items',
  products: 'reading the product list',
  balance: 'reading the balance',
};

function rejectedRequests(problems: readonly ProviderHealthIssue[]): Alert[] {
  if (problems.length === 0) return [];
  const names = [...new Set(problems.map(({ provider }) => provider))];
  const failures = problems.map(
    ({ provider, call, problem }) => `${provider}, ${purposes[call]} (${problem.replace(/\.$/, '')})`,
  );
  const sentence = `Requests to a provider fail: ${failures.join('; ')}`;
  return [{ kind: 'rejected-requests', names, subjects: names, count: names.length, sentence }];
}

/** Returns the alert about an overdue backup. For a store without a backup, the time counts from its first order. */
function overdueBackup(
  { backedUpAt, alertAfter, alertSince, firstOrderAt }: BackupState,
  realNow: number,
): Alert[] {
  const since = backedUpAt ?? firstOrderAt;
  if (alertAfter === 0 || since === null) return [];
  if (realNow - Math.max(since, alertSince ?? 0) < alertAfter) return [];
  const sentence =
    backedUpAt === null
      ? 'The store has orders and no recorded backup'
      : `The last backup of the store is over ${Math.floor(alertAfter / 3_600_000)} hours old`;
  const names = ['store'];
  return [{ kind: 'overdue-backup', names, subjects: names, count: 1, sentence }];
}

/** Time without a rejection by limits after which their alert ends, in milliseconds. */
const rejectedFor = 15 * 60_000;

/** Returns the alert about rejected requests. The store keeps only this alert, because servers count the requests. */
export function rejectedByLimits(
  raised: readonly RaisedAlert[],
  added: RejectedByLimits,
  now: number,
): AlertOf<keyof typeof limitAlerts>[] {
  const kind = 'rejected-by-limits';
  const known = raised.find((alert) => alert.kind === kind && (alert.until ?? 0) > now);
  const count = (known?.count ?? 0) + added.count;
  if (count === 0) return [];
  const subjects = [...new Set([...(known?.names ?? []), ...added.keyIds])].slice(0, maxNames);
  const sentence = `Limits rejected ${count.toLocaleString('en')} request${count === 1 ? '' : 's'} of ${subjects.join(', ')}`;
  const until = added.count === 0 && known?.until !== undefined ? known.until : now + rejectedFor;
  return [{ kind, names: subjects, subjects, count, sentence, until }];
}

/** Finds alerts about orders, prices and providers. Times are unix milliseconds; `now` is world time. */
export async function findHouseAlerts(
  store: HouseAlertSource,
  times: { now: number; realNow: number },
): Promise<Alert[]> {
  const alerts = await findAll(store, times);
  return Promise.all(
    alerts.map(async (alert) => {
      if (alert.kind !== 'stuck-orders' && alert.kind !== 'contradictions') return alert;
      const [items, units] = await Promise.all([
        findPendingItems(store, alert.names),
        Promise.all(alert.names.map((orderId) => store.findUnits(orderId))),
      ]);
      const held = units.flat().filter(isHeldUp);
      const reasons = [...new Set(held.flatMap(({ reason }) => reason ?? []))];
      return {
        ...alert,
        ...(reasons.length > 0 && {
          reasons,
          sentence: `${alert.sentence} (reasons: ${reasons.join('; ')})`,
        }),
        ...(items.length > 0 && { items }),
      };
    }),
  );
}

async function findAll(
  store: HouseAlertSource,
  { now, realNow }: { now: number; realNow: number },
): Promise<Alert[]> {
  // One id above the limit shows whether there are more ids.
  const orders = (problem: Parameters<Store['findProblemOrders']>[0]): Promise<string[]> =>
    store.findProblemOrders(problem, maxCount + 1);
  const [
    unfunded,
    stuck,
    failed,
    contradicted,
    open,
    toPay,
    unclear,
    allBalances,
    display,
    belowCost,
    problems,
    backups,
  ] = await Promise.all([
    orders({ kind: 'unfunded' }),
    orders({ kind: 'stuck', before: now - stuckAfterMs }),
    orders({ kind: 'failed' }),
    orders({ kind: 'contradicted' }),
    store.listReconciliations({ state: 'open' }),
    store.listRefunds('to-pay'),
    orders({ kind: 'reserved', before: now - unclearAfter }),
    store.readSupplierBalances(),
    store.readDisplay(),
    findBelowCost(store, realNow, now),
    store.readProviderProblems(),
    store.readBackupState(),
  ]);
  const balances = saidLately(allBalances);
  const money: Money = (amount) => formatMoney(amount, display?.currency ?? 'IDR', 'en');
  const payments = (areRefunds: boolean): string[] =>
    open
      .filter(({ reason }) => (reason === 'refunded') === areRefunds)
      .map(({ reconciliationId }) => reconciliationId);
  return [
    ...waitingForBalance(unfunded, balances, money),
    ...about('stuck-orders', stuck),
    ...about('failed-deliveries', failed),
    ...about('contradictions', contradicted),
    ...about('money-without-an-order', payments(false)),
    ...about('refunded-payments', payments(true)),
    ...about(
      'unpaid-refunds',
      toPay.filter(({ at }) => at <= now - unpaidAfter).map(({ refundId }) => refundId),
    ),
    ...about('unclear-payments', unclear),
    ...lowBalance(balances, money),
    ...productsBelowCost(belowCost, money),
    ...rejectedRequests(problems),
    ...overdueBackup(backups, realNow),
  ];
}
