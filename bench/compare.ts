import type { BenchServer } from './bench-process.ts';
import { type Load, type LoadRequest, load } from './load.ts';
import { type Figure, median } from './measure.ts';

const warmUpSeconds = 2;
const roundSeconds = 3;
const rounds = 5;

export interface Side {
  name: string;
  server: BenchServer;
  request: LoadRequest;
}

interface Round extends Load {
  /** CPU time that the server used per request, in microseconds. */
  cpu: number;
  /** The share of one core that the server used, 0 to 1 or more. */
  busy: number;
}

async function round({ server, request }: Side): Promise<Round> {
  const before = await server.cpuTime();
  const loaded = await load(request, roundSeconds);
  const cpu = (await server.cpuTime()) - before;
  const requests = loaded.perSecond * roundSeconds;
  return { ...loaded, cpu: cpu / requests, busy: cpu / (roundSeconds * 1_000_000) };
}

export interface Comparison {
  /** Median over the rounds of the first side's rate divided by the second's. */
  ratio: number;
  first: { p99: number };
  figures: Figure[];
  /** Whether both servers were busy all the time. If not, the load generator was the limit. */
  saturated: boolean;
}

const figuresOf = (name: string, done: Round[]): Figure[] => [
  { name, unit: 'requests/s', values: done.map(({ perSecond }) => perSecond) },
  { name, unit: 'ms p99', values: done.map(({ p99 }) => p99) },
  { name, unit: 'µs CPU/request', values: done.map(({ cpu }) => cpu) },
];

/** Loads two servers in turn, A B A B ..., so that other work on the machine affects both alike. */
export async function compare(first: Side, second: Side): Promise<Comparison> {
  for (const { request } of [first, second]) await load(request, warmUpSeconds);
  const done: [Round, Round][] = [];
  for (let count = 0; count < rounds; count += 1) done.push([await round(first), await round(second)]);
  const [firsts, seconds] = [done.map(([one]) => one), done.map(([, other]) => other)];
  return {
    ratio: median(done.map(([one, other]) => one.perSecond / other.perSecond)),
    first: { p99: median(firsts.map(({ p99 }) => p99)) },
    figures: [...figuresOf(first.name, firsts), ...figuresOf(second.name, seconds)],
    saturated: [...firsts, ...seconds].every(({ busy }) => busy > 0.9),
  };
}

export const loadBound =
  'The load generator was the limit: the servers were not busy all the time. Compare the CPU time per request too.';
