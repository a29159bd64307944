import type { BenchServer } from './bench-process.ts';
import { type Load, type LoadRequest, load } from './load.ts';
import { type Figure, median } from './measure.ts';
import { notPinned, pinLoadGenerator, pinning } from './pin.ts';

const rounds = 5;

/** Duration of the rounds in seconds. Two sides get longer rounds than many sides, so that a measure takes about half a minute. */
const lengths = { two: { warmUp: 2, round: 3 }, many: { warmUp: 1, round: 2 } };

export interface Side {
  name: string;
  server: BenchServer;
  request: LoadRequest;
}

interface Round extends Load {
  /** CPU time of the server per request, in microseconds. */
  cpu: number;
  /** Share of one core that the server used: from 0 to 1, or more. */
  serverBusy: number;
}

async function round({ server, request }: Side, seconds: number): Promise<Round> {
  const before = await server.cpuTime();
  const loaded = await load(request, seconds);
  const cpu = (await server.cpuTime()) - before;
  return {
    ...loaded,
    cpu: cpu / (loaded.perSecond * seconds),
    serverBusy: cpu / (seconds * 1_000_000),
  };
}

/** Results of a side, round by round. */
export interface Compared {
  name: string;
  rounds: Round[];
  perSecond: number;
  p99: number;
}

export interface Comparison {
  /** Results of the sides in the given order. */
  sides: Compared[];
  figures: Figure[];
  remarks: string[];
}

const figuresOf = ({ name, rounds }: Compared): Figure[] => [
  { name, unit: 'requests/s', values: rounds.map(({ perSecond }) => perSecond) },
  { name, unit: 'ms p99', values: rounds.map(({ p99 }) => p99) },
  { name, unit: 'µs CPU/request', values: rounds.map(({ cpu }) => cpu) },
];

/** Share of a core that a process uses if it waits for nothing. */
const fullyBusy = 0.9;

/** Returns a remark for each side whose pace something other than the server limited. */
function whatSetThePace(sides: readonly Compared[]): string[] {
  const waiting = sides.filter(({ rounds }) => rounds.some(({ serverBusy }) => serverBusy <= fullyBusy));
  const named = (bound: readonly Compared[], remark: string): string[] =>
    bound.length === 0
      ? []
      : [`${bound.map(({ name }) => name).join(', ')}: ${remark} Compare the CPU time per request too.`];
  const byLoad = waiting.filter(({ rounds }) =>
    rounds.some(({ busy, serverBusy }) => serverBusy <= fullyBusy && busy > fullyBusy),
  );
  const byOthers = waiting.filter((side) => !byLoad.includes(side));
  return [
    ...named(byLoad, 'the load generator set the pace, the server was not busy all the time.'),
    ...named(
      byOthers,
      'neither the server nor the load generator was busy all the time: both waited for the disk, or for other work on this machine.',
    ),
  ];
}

/** Loads servers in turn, A B A B ..., so that other work on the machine affects all of them equally. */
export async function compareAll(sides: readonly Side[]): Promise<Comparison> {
  const arePinned = sides.every(({ server }) => server.isPinned);
  using _pinned = arePinned ? pinLoadGenerator() : null;
  const seconds = sides.length > 2 ? lengths.many : lengths.two;
  // A cold server may reject some of the first requests. In a measured round, this is an error.
  for (const { request } of sides) await load(request, seconds.warmUp).catch(() => {});
  const done = sides.map(() => [] as Round[]);
  for (let count = 0; count < rounds; count += 1)
    for (const [index, side] of sides.entries()) done[index]?.push(await round(side, seconds.round));
  const compared = sides.map(({ name }, index): Compared => {
    const own = done[index] ?? [];
    return {
      name,
      rounds: own,
      perSecond: median(own.map(({ perSecond }) => perSecond)),
      p99: median(own.map(({ p99 }) => p99)),
    };
  });
  return {
    sides: compared,
    figures: compared.flatMap(figuresOf),
    remarks: [...whatSetThePace(compared), arePinned ? pinning : notPinned],
  };
}

/** Returns the median over the rounds of one side's rate divided by the other side's rate in the same round. */
export const ratioOf = (a: Compared, b: Compared): number =>
  median(a.rounds.map(({ perSecond }, index) => perSecond / (b.rounds[index]?.perSecond ?? Number.NaN)));

/** Returns the same ratio of CPU times: above 1 if the first side needs less CPU time for a request. */
export const cpuRatioOf = (a: Compared, b: Compared): number =>
  median(a.rounds.map(({ cpu }, index) => (b.rounds[index]?.cpu ?? Number.NaN) / cpu));

/** Returns the CPU time of a request as a share of the other side's CPU time. */
export const cpuFigure = (a: Compared, b: Compared): Figure => ({
  name: `CPU time / ${b.name}`,
  unit: 'x',
  values: [1 / cpuRatioOf(a, b)],
});

export interface ComparisonOfTwo extends Comparison {
  /** Median over the rounds of the first side's rate divided by the second side's rate. */
  ratio: number;
  first: Compared;
  second: Compared;
}

export async function compare(a: Side, b: Side): Promise<ComparisonOfTwo> {
  const comparison = await compareAll([a, b]);
  const [first, second] = comparison.sides;
  if (!first || !second) throw new Error('a comparison of two sides has two');
  return { ...comparison, ratio: ratioOf(first, second), first, second };
}
