import { operations, routes } from '@topup-kit/core/contract';
import { createMockService } from '@topup-kit/mock/in-process';
import { type BenchCaller, startBenchCaller } from '../bench-process.ts';
import { preparePoll } from '../callers/poll.ts';
import { type Bar, type Measure, median, type Outcome } from '../measure.ts';

const rounds = 15;

interface Side {
  name: string;
  caller: BenchCaller;
  /** Number of calls per round, chosen so that rounds of both sides take about the same time. */
  calls: number;
}

/** Number of calls in a round of about 200 ms. */
const calls = { inProcess: 12_000, msw: 300 };

/** Measures two sides in turn, A B A B ..., so that other work on the machine affects both equally. */
async function compare(ours: Side, theirs: Side, bar: Omit<Bar, 'value'>): Promise<Outcome> {
  const round = ({ caller, calls }: Side): Promise<number> => caller.round(calls);
  for (const side of [ours, ours, theirs, theirs]) await round(side);
  const done: { our: number; their: number }[] = [];
  for (let count = 0; count < rounds; count += 1)
    done.push({ our: await round(ours), their: await round(theirs) });
  return {
    figures: [
      { name: ours.name, unit: 'µs/call', values: done.map(({ our }) => our) },
      { name: theirs.name, unit: 'µs/call', values: done.map(({ their }) => their) },
    ],
    bars: [{ ...bar, value: median(done.map(({ our, their }) => their / our)) }],
    remarks: [],
  };
}

const { baseUrl } = createMockService();

/** Returns the method and address of an operation in the form that msw uses. */
const addressOf = (operation: keyof typeof routes): string => {
  const { method, path } = routes[operation];
  return `${method} ${baseUrl}${path.replace(/\{(\w+)\}/g, ':$1')}`;
};

async function startStatic(addresses: string[]): Promise<BenchCaller> {
  const poll = await preparePoll(createMockService());
  return startBenchCaller('msw-static.ts', { POLL: JSON.stringify(poll), ADDRESSES: addresses.join('\n') });
}

export const mock: Measure = {
  name: 'mock',
  about:
    'payment-status of the in-process mock, key checked, one at a time, against one static handler of msw',
  async run() {
    await using ours = await startBenchCaller('mock.ts');
    await using msw = await startStatic([addressOf('getPaymentStatus')]);
    return await compare(
      { name: 'in-process mock', caller: ours, calls: calls.inProcess },
      { name: 'msw, one static handler', caller: msw, calls: calls.msw },
      { name: 'speed of the mock / of msw', kind: 'at least', bar: 80 },
    );
  },
};

export const mockMsw: Measure = {
  name: 'mock-msw',
  about:
    'payment-status by our MSW handlers, one at a time, against static handlers of msw with the same bytes',
  async run() {
    await using ours = await startBenchCaller('mock-msw.ts');
    await using msw = await startStatic(operations.map(addressOf));
    return await compare(
      { name: 'our handlers', caller: ours, calls: calls.msw },
      { name: 'static handlers of msw', caller: msw, calls: calls.msw },
      { name: 'speed of our handlers / of static ones', kind: 'at least', bar: 0.95 },
    );
  },
};
