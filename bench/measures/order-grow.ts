import { type BenchServer, startBenchServer } from '../bench-process.ts';
import { compareAll, ratioOf } from '../compare.ts';
import { type Figure, type Measure, median } from '../measure.ts';
import { postOrder } from '../requests.ts';
import { storeWith } from '../stores.ts';

const sizes = [1_000, 10_000, 100_000, 1_000_000];
const [smallest = 0, largest = 0] = [sizes.at(0), sizes.at(-1)];
const starts = 3;

const grouped = (count: number): string => new Intl.NumberFormat('en').format(count);
const megabyte = 1_000_000;

const serve = (path: string): Promise<BenchServer> =>
  startBenchServer('topup.ts', { TOPUP_STORE: `file:${path}` });

/** Measures the time from the start of a server's process until it listens, in seconds. */
async function timeStart(path: string): Promise<number> {
  const start = performance.now();
  await using _server = await serve(path);
  return (performance.now() - start) / 1000;
}

export const orderGrow: Measure = {
  name: 'order-grow',
  about:
    'POST /api/order with 1,000,000 orders in the file store against 1,000; start-up; memory after the same load',
  async run() {
    const paths = new Map<number, string>();
    for (const size of sizes) paths.set(size, await storeWith(size));
    const pathOf = (size: number): string => paths.get(size) ?? '';

    const startUp = { small: [] as number[], large: [] as number[] };
    for (let count = 0; count < starts; count += 1) {
      startUp.small.push(await timeStart(pathOf(smallest)));
      startUp.large.push(await timeStart(pathOf(largest)));
    }

    await using servers = new AsyncDisposableStack();
    const sides = [];
    for (const size of sizes) {
      const server = servers.use(await serve(pathOf(size)));
      sides.push({ name: `${grouped(size)} orders`, server, request: postOrder(server.baseUrl) });
    }
    const compared = await compareAll(sides);
    const [first, last] = [compared.sides.at(0), compared.sides.at(-1)];
    if (!first || !last) throw new Error('there is a side for each size');
    const memory = await Promise.all(sides.map(({ server }) => server.memory()));
    const [memoryOfSmall = Number.NaN, memoryOfLarge = Number.NaN] = [memory.at(0), memory.at(-1)];

    const start = (size: number, values: number[]): Figure => ({
      name: `start-up, ${grouped(size)} orders`,
      unit: 's',
      values,
    });
    return {
      figures: [
        ...compared.figures,
        start(smallest, startUp.small),
        start(largest, startUp.large),
        ...sides.map(({ name }, index) => ({
          name: `memory, ${name}`,
          unit: 'MB',
          values: [(memory[index] ?? Number.NaN) / megabyte],
        })),
      ],
      bars: [
        { name: '1,000,000 orders / 1,000 orders', value: ratioOf(last, first), kind: 'at least', bar: 0.9 },
        {
          name: 'start-up with 1,000,000 orders, s',
          value: median(startUp.large),
          kind: 'at most',
          bar: 2,
        },
        {
          name: 'memory with 1,000,000 orders / 1,000',
          value: memoryOfLarge / memoryOfSmall,
          kind: 'at most',
          bar: 1.2,
        },
      ],
      curves: [
        {
          name: 'orders',
          about: 'POST /api/order by the number of stored orders',
          axis: 'stored orders',
          series: [
            {
              name: 'file store',
              points: compared.sides.map(({ perSecond, p99 }, index) => ({
                at: sizes[index] ?? 0,
                perSecond,
                p99,
              })),
            },
          ],
        },
      ],
      remarks: compared.remarks,
    };
  },
};
