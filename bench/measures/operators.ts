import { buyStatuses, paymentStatuses } from '@topup-kit/core/contract';
import type { OrderFilter } from '@topup-kit/core/store';
import { createSqliteStore, inspectStore } from '@topup-kit/server/internal';
import { type Measure, median, timed } from '../measure.ts';
import { someOrderIds, storeWith } from '../stores.ts';

const rounds = 3;
const shown = 3;

type Filter = Omit<OrderFilter, 'limit'>;

/** Filters that few orders match: few orders are for this game, and a tenth of them are from this account. */
const gameId = 12;
const accountId = 'another-shop';
const customer = '62100000012';

/** Returns all combinations of two filters, and some of more filters. */
function filters(after: NonNullable<Filter['after']>): Filter[] {
  const payment: Filter[] = paymentStatuses.map((paymentStatus) => ({ paymentStatus }));
  const delivery: Filter[] = buyStatuses.map((buyStatus) => ({ buyStatus }));
  const states = payment.flatMap((paid) => delivery.map((delivered) => ({ ...paid, ...delivered })));
  const others: Filter[] = [{ gameId }, { accountId }, { gameId, accountId }, { customer }];
  const alone = [{}, ...payment, ...delivery, ...others];
  return [
    ...alone,
    ...states,
    ...[...payment, ...delivery].flatMap((state) => others.map((filter) => ({ ...state, ...filter }))),
    ...alone.map((filter) => ({ ...filter, after })),
  ];
}

const nameOf = (filter: Filter): string =>
  `orders list ${Object.entries(filter)
    .map(([name, value]) => (name === 'after' ? 'after' : `${name}=${value}`))
    .join(' ')}`.trimEnd();

export const operators: Measure = {
  name: 'operators',
  about:
    'what operators wait for with 1,000,000 orders: orders list with filters alone and combined, and db status, without the start of the process',
  async run() {
    const path = await storeWith(1_000_000);
    const store = createSqliteStore({ path });
    try {
      const middle = await store.findOrder(someOrderIds(path, 2)[0] ?? '');
      if (!middle) throw new Error('a store with orders has one in the middle');
      const list = (filter: Filter): Promise<number> =>
        timed(() => store.listOrders({ ...filter, limit: 20 }));
      const combinations = filters({ createdAt: middle.createdAt, orderId: middle.orderId });
      const once: { filter: Filter; ms: number }[] = [];
      for (const filter of combinations) once.push({ filter, ms: await list(filter) });
      const slowest = once.sort((a, b) => b.ms - a.ms).slice(0, shown);
      const lists = slowest.map(({ filter, ms }) => ({
        name: nameOf(filter),
        unit: 'ms',
        values: [ms],
        filter,
      }));
      const statuses: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        for (const { filter, values } of lists) values.push(await list(filter));
        statuses.push(await timed(() => inspectStore(path)));
      }
      return {
        figures: [
          ...lists.map(({ name, unit, values }) => ({ name, unit, values })),
          { name: 'db status', unit: 'ms', values: statuses },
        ],
        bars: [
          {
            name: 'slowest orders list, ms',
            value: Math.max(...lists.map(({ values }) => median(values))),
            kind: 'at most',
            bar: 50,
          },
          { name: 'db status, ms', value: median(statuses), kind: 'at most', bar: 200 },
        ],
        remarks: [
          `The slowest ${shown} of ${combinations.length} combinations of filters are shown; ${once.filter(({ ms }) => ms > 50).length} took more than 50 ms when each was tried once.`,
        ],
      };
    } finally {
      await store.close();
    }
  },
};
