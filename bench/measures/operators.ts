import { buyStatuses, paymentStatuses } from '@topup-kit/core/contract';
import type { OrderFilter } from '@topup-kit/core/store';
import { createSqliteStore, inspectStore } from '@topup-kit/server';
import { type Measure, median } from '../measure.ts';
import { someOrderIds, storeWith } from '../stores.ts';

const rounds = 3;
const shown = 5;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

type Filter = Omit<OrderFilter, 'limit'>;

const optional = <Name extends keyof Filter>(name: Name, values: readonly Filter[Name][]): Filter[] => [
  {},
  ...values.map((value) => ({ [name]: value })),
];

/** Every combination of the filters of `topup orders list`: of any state, of games and accounts with many orders, few and none. */
const filters = (after: NonNullable<Filter['after']>): Filter[] =>
  [
    optional('paymentStatus', paymentStatuses),
    optional('buyStatus', buyStatuses),
    optional('gameId', [11, 12, 999]),
    optional('accountId', ['sandbox', 'another-shop', 'nobody']),
    optional('after', [after]),
  ].reduce((known, choices) => known.flatMap((one) => choices.map((choice) => ({ ...one, ...choice }))));

const nameOf = (filter: Filter): string =>
  `orders list ${Object.entries(filter)
    .map(([name, value]) => (name === 'after' ? 'after' : `${name}=${value}`))
    .join(' ')}`.trimEnd();

export const operators: Measure = {
  name: 'operators',
  about:
    'what operators wait for with 1,000,000 orders: orders list with every combination of filters, and db status, without the start of the process',
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
      const slowest = once.sort((one, other) => other.ms - one.ms).slice(0, shown);
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
