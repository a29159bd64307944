import { formatMoney } from '../contract/index.ts';
import type {
  ProviderProblem,
  RaisedAlert,
  Store,
  StoredCallback,
  SupplierBalance,
  WebhookEndpoint,
} from '../store/index.ts';
import type { AlertKind } from './alert-advice.ts';
import { type BelowCost, type CostSource, costWords, findBelowCost } from './catalog/costs.ts';
import { findPendingItems, type PendingItem } from './delivery/purchase.ts';
import { isHeldUp } from './delivery/results.ts';
import { saidLately } from './suppliers.ts';
import { wrongAddress } from './unproven-room.ts';

/** Something that waits for an operator. */
export interface Alert {
  kind: AlertKind;
  /** The first ten of the ids that it is about: orders, payments to reconcile, refunds, products, the supplier, providers, or callbacks. */
  names: string[];
  /**
   * What it is raised for, each once, up to {@link maxCount}: orders, payments and refunds, which are dealt with one by one; or the supplier and
   * the providers, where a deposit or a setting helps all that wait.
   */
  subjects: string[];
  /** How many there are; counted up to {@link maxCount}. */
  count: number;
  /** What it is, as a sentence without the names. */
  sentence: string;
  /** Of stuck and contradicted orders: what to look for at the supplier. */
  items?: PendingItem[];
  /** Of stuck orders: why the named ones wait, as their suppliers said it, each once. */
  reasons?: string[];
  /** Of requests that limits rejected: when the alert is over, in unix milliseconds of real time. */
  until?: number;
}

/** Requests of keys that limits rejected, and that the store's alert does not have yet. */
export interface RejectedByLimits {
  count: number;
  keyIds: readonly string[];
}

/** How many names an alert has at most, and up to which number it counts. */
const maxNames = 10;
const maxCount = 1_000;

/** How long a delivery may be without an outcome, and a payment without one, in milliseconds of world time. */
export const stuckAfter = 15 * 60_000;
const unclearAfter = 5 * 60_000;

/** How long a refund may wait to be paid by hand, in milliseconds of world time: the runbook looks at them once a day. */
const unpaidAfter = 24 * 60 * 60_000;

/**
 * The callbacks of a provider fail when the last three did. One that anybody can send, or that the provider sends again with
 * success, is no reason to worry; nor is what failed over a day ago.
 */
const failingRun = 3;
const failingFor = 24 * 60 * 60_000;

/** How many of the newest callbacks are looked at. */
const maxCallbacks = 50;

export type AlertSource = Pick<
  Store,
  | 'findProblemOrders'
  | 'listReconciliations'
  | 'listRefunds'
  | 'readSupplierBalances'
  | 'readDisplay'
  | 'readProviderProblems'
  | 'listCallbacks'
  | 'listWebhookEndpoints'
  | 'readRaisedAlerts'
  | 'findOrder'
  | 'findUnits'
> &
  CostSource;

/** What alerts are about, and what they say of one and of several; `#` stands for how many there are, and of what. */
const sentences = {
  'waiting-for-balance': [
    'paid order',
    '# waits for a deposit at the supplier',
    '# wait for a deposit at the supplier',
  ],
  'stuck-orders': [
    'order',
    '# has been in delivery for over 15 minutes, or its outcome is unknown',
    '# have been in delivery for over 15 minutes, or their outcomes are unknown',
  ],
  'failed-deliveries': [
    'paid order',
    '# could not be delivered and waits for a retry or a refund',
    '# could not be delivered and wait for a retry or a refund',
  ],
  contradictions: [
    'order',
    'The supplier contradicted the outcome of #, so it is not clear what was delivered',
    'The supplier contradicted the outcome of #, so it is each time not clear what was delivered',
  ],
  'money-without-an-order': [
    'payment',
    '# fits no order and has to be settled or returned',
    '# fit no order and have to be settled or returned',
  ],
  'refunded-payments': [
    'payment',
    'The gateway paid back #, all or in part, and its order does not show it',
    'The gateway paid back #, all or in part, and their orders do not show it',
  ],
  'unpaid-refunds': [
    'refund',
    '# has been waiting for over a day to be paid by hand',
    '# have been waiting for over a day to be paid by hand',
  ],
  'unclear-payments': [
    'order',
    'For over 5 minutes the gateway has not said whether # has a payment',
    'For over 5 minutes the gateway has not said whether # have a payment',
  ],
  'products-below-cost': [
    'product',
    '# costs more than it brings and is closed',
    '# cost more than they bring and are closed',
  ],
  'failing-callbacks': ['callback', 'The last #', 'The last #'],
  'failing-webhooks': [
    'webhook',
    '# was disabled because nothing arrived, or has not taken an event for over an hour',
    '# were disabled because nothing arrived, or have not taken an event for over an hour',
  ],
} as const satisfies Partial<Record<AlertKind, readonly [noun: string, one: string, several: string]>>;

/** An alert about these, with the rest of its sentence; none when there are none. */
function alertAbout(
  kind: keyof typeof sentences,
  ids: readonly string[],
  { rest = '', subjects = ids.slice(0, maxCount) }: { rest?: string; subjects?: string[] } = {},
): Alert[] {
  const count = Math.min(ids.length, maxCount);
  if (count === 0) return [];
  const [noun, one, several] = sentences[kind];
  const amount = `${ids.length > maxCount ? 'over ' : ''}${count.toLocaleString('en')}`;
  const sentence =
    count === 1 ? one.replace('#', `${amount} ${noun}`) : several.replace('#', `${amount} ${noun}s`);
  return [{ kind, names: ids.slice(0, maxNames), subjects, count, sentence: sentence + rest }];
}

/** An amount in the currency of the shop. */
type Money = (amount: number) => string;

function waitingForBalance(
  orders: readonly string[],
  balances: readonly SupplierBalance[],
  money: Money,
): Alert[] {
  const amounts = balances.map(({ supplier, balance }) => `${supplier} had ${money(balance)}`);
  const read =
    amounts.length === 0
      ? ''
      : ` (${amounts.join(', ')} when ${amounts.length === 1 ? 'it was' : 'they were'} last asked)`;
  return alertAbout('waiting-for-balance', orders, { rest: read, subjects: ['supplier'] });
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
  return alertAbout('products-below-cost', codes, { rest: `: ${amounts}${more}` });
}

/** What each kind of request is for. */
const purposes: Record<ProviderProblem['call'], string> = {
  access: 'any request',
  payments: 'creating payments',
  purchases: 'buying items',
  products: 'reading the product list',
  balance: 'reading the balance',
};

function rejectedRequests(problems: readonly ProviderProblem[]): Alert[] {
  if (problems.length === 0) return [];
  const names = [...new Set(problems.map(({ provider }) => provider))];
  const failures = problems.map(
    ({ provider, call, problem }) => `${provider}, ${purposes[call]} (${problem.replace(/\.$/, '')})`,
  );
  const sentence = `Requests to a provider fail: ${failures.join('; ')}`;
  return [{ kind: 'rejected-requests', names, subjects: names, count: names.length, sentence }];
}

const hasFailed = ({ outcome }: StoredCallback): boolean => outcome === 'failed' || outcome === 'rejected';

/** The callbacks of each provider since its last success, if there are enough of them. */
function failingCallbacks(newest: readonly StoredCallback[]): Alert[] {
  const providers = [...new Set(newest.map(({ provider }) => provider))];
  const runs = providers.map((name) => {
    const received = newest.filter(({ provider }) => provider === name);
    // What strangers send is turned away. It only matters when nothing else arrives: then the list of addresses is wrong.
    const admitted = received.filter(({ reason }) => reason !== wrongAddress);
    const all = admitted.length > 0 ? admitted : received;
    const success = all.findIndex((callback) => !hasFailed(callback));
    return success < 0 ? all : all.slice(0, success);
  });
  const failing = runs.filter(({ length }) => length >= failingRun);
  const names = failing.flat().map(({ callbackId }) => callbackId);
  const failed = failing.flatMap(([last]) => last?.provider ?? []);
  const rest = ` of ${failed.join(' and ')} failed or were rejected`;
  return alertAbout('failing-callbacks', names, { rest, subjects: failed });
}

/** How long nothing may have arrived at an endpoint, in milliseconds. */
const unreachedFor = 60 * 60_000;

/** Whether nothing has arrived at an endpoint for long, or it is sent no more because of that. */
export const isFailing = ({ disabled, failingSince }: WebhookEndpoint, now: number): boolean =>
  disabled === null ? failingSince !== null && failingSince <= now - unreachedFor : disabled !== 'operator';

/** The endpoints where nothing arrives, and those that are sent no more because of that. */
function failingWebhooks(endpoints: readonly WebhookEndpoint[], now: number): Alert[] {
  const failing = endpoints.filter((endpoint) => isFailing(endpoint, now));
  return alertAbout(
    'failing-webhooks',
    failing.map(({ endpointId }) => endpointId),
  );
}

/** For how long limits must have rejected nothing before their alert is over, in milliseconds. */
const rejectedFor = 15 * 60_000;

/** The servers count such requests, so the alert itself is what the store keeps of them. */
function rejectedByLimits(raised: readonly RaisedAlert[], added: RejectedByLimits, now: number): Alert[] {
  const kind = 'rejected-by-limits';
  const known = raised.find((alert) => alert.kind === kind && (alert.until ?? 0) > now);
  const count = (known?.count ?? 0) + added.count;
  if (count === 0) return [];
  const subjects = [...new Set([...(known?.names ?? []), ...added.keyIds])].slice(0, maxNames);
  const sentence = `Limits rejected ${count.toLocaleString('en')} request${count === 1 ? '' : 's'} of ${subjects.join(', ')}`;
  const until = added.count === 0 && known?.until !== undefined ? known.until : now + rejectedFor;
  return [{ kind, names: subjects, subjects, count, sentence, until }];
}

/** Finds everything in a store that waits for an operator, at most one alert of each kind. */
export async function findAlerts(
  store: AlertSource,
  times: { /** World time in unix milliseconds. */ now: number; realNow: number },
  added: RejectedByLimits = { count: 0, keyIds: [] },
): Promise<Alert[]> {
  const alerts = await findAll(store, times, added);
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
          sentence: `${alert.sentence} (one waits because: ${reasons.join('; another: ')})`,
        }),
        ...(items.length > 0 && { items }),
      };
    }),
  );
}

async function findAll(
  store: AlertSource,
  { now, realNow }: { now: number; realNow: number },
  added: RejectedByLimits,
): Promise<Alert[]> {
  // One more than is counted shows whether there are more.
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
    callbacks,
    endpoints,
    raised,
  ] = await Promise.all([
    orders({ kind: 'unfunded' }),
    orders({ kind: 'stuck', before: now - stuckAfter }),
    orders({ kind: 'failed' }),
    orders({ kind: 'contradicted' }),
    store.listReconciliations({ state: 'open' }),
    store.listRefunds('to-pay'),
    orders({ kind: 'reserved', before: now - unclearAfter }),
    store.readSupplierBalances(),
    store.readDisplay(),
    findBelowCost(store, realNow, now),
    store.readProviderProblems(),
    store.listCallbacks({ limit: maxCallbacks }),
    store.listWebhookEndpoints(),
    store.readRaisedAlerts(),
  ]);
  const balances = saidLately(allBalances);
  const money: Money = (amount) => formatMoney(amount, display?.currency ?? 'IDR', 'en');
  const payments = (areRefunds: boolean): string[] =>
    open
      .filter(({ reason }) => (reason === 'refunded') === areRefunds)
      .map(({ reconciliationId }) => reconciliationId);
  return [
    ...waitingForBalance(unfunded, balances, money),
    ...alertAbout('stuck-orders', stuck),
    ...alertAbout('failed-deliveries', failed),
    ...alertAbout('contradictions', contradicted),
    ...alertAbout('money-without-an-order', payments(false)),
    ...alertAbout('refunded-payments', payments(true)),
    ...alertAbout(
      'unpaid-refunds',
      toPay.filter(({ at }) => at <= now - unpaidAfter).map(({ refundId }) => refundId),
    ),
    ...alertAbout('unclear-payments', unclear),
    ...lowBalance(balances, money),
    ...productsBelowCost(belowCost, money),
    ...rejectedRequests(problems),
    ...failingCallbacks(callbacks.filter(({ handledAt }) => handledAt > realNow - failingFor)),
    ...failingWebhooks(endpoints, realNow),
    ...rejectedByLimits(raised.alerts, added, realNow),
  ];
}
