import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { type BenchServer, startBenchCaller, startBenchServer } from '../bench-process.ts';
import { load } from '../load.ts';
import { type Figure, type Measure, median } from '../measure.ts';
import { notPinned } from '../pin.ts';
import { findOrderTransaction, pgbenchScript, type Statement } from '../postgres-statements.ts';
import { bodyWithoutPromo, postOrder, sendOnce } from '../requests.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Number of clients of all processes together. */
const clients = 48;
const processes = [1, 2, 4];
const rounds = 5;
const roundSeconds = 3;

interface Recorded {
  statements: Statement[];
  /** Texts among the parameters that differ for each order. */
  unique: string[];
}

/** Lets a server place an order while PostgreSQL logs all statements. Returns the statements of the order's transaction. */
async function recordOrder(url: string, { baseUrl }: BenchServer, log: () => string): Promise<Recorded> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const logStatements = async (setting: 'all' | 'none'): Promise<void> => {
    await sql.unsafe(`ALTER SYSTEM SET log_statement = '${setting}'`);
    await sql`SELECT pg_reload_conf()`;
  };
  try {
    await logStatements('all');
    // A connection notices the setting only when it is next idle.
    await sendOnce(postOrder(baseUrl, bodyWithoutPromo));
    const { orderId, data } = await (await sendOnce(postOrder(baseUrl, bodyWithoutPromo))).json();
    const statements = await findOrderTransaction(log, orderId);
    return { statements, unique: [orderId, data.payment_reference] };
  } finally {
    await logStatements('none');
    await sql.end();
  }
}

/** Program that runs the statements for some seconds, and returns how often it ran them per second. */
interface Other {
  name: string;
  remark: string;
  run(seconds: number): Promise<number>;
}

const program = promisify(execFile);

async function preparePgbench(url: string, recorded: Recorded, folder: string): Promise<Other> {
  const script = join(folder, 'order.sql');
  await writeFile(script, pgbenchScript(recorded.statements, recorded.unique));
  const address = new URL(url);
  const schema = address.searchParams.get('search_path');
  address.search = `?options=${encodeURIComponent(`-csearch_path=${schema}`)}`;
  return {
    name: `pgbench, ${clients} clients`,
    remark: 'The other side is pgbench, with prepared statements.',
    async run(seconds) {
      const options = ['-n', '-M', 'prepared', '-c', `${clients}`, '-T', `${seconds}`, '-f', script];
      const { stdout, stderr } = await program('pgbench', [...options, address.href]);
      const [, perSecond] = /^tps = ([\d.]+)/m.exec(stdout) ?? [];
      if (perSecond === undefined || /failed transactions: [1-9]/.test(stdout))
        throw new Error(stderr + stdout);
      return Number(perSecond);
    },
  };
}

async function prepareOther(
  url: string,
  recorded: Recorded,
  folder: string,
  resources: AsyncDisposableStack,
): Promise<Other> {
  const hasPgbench = await program('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
  if (hasPgbench) return preparePgbench(url, recorded, folder);
  const caller = await startBenchCaller(
    'postgres-statements.ts',
    {
      URL: url,
      STATEMENTS: JSON.stringify(recorded.statements),
      UNIQUE: recorded.unique.join(' '),
      CLIENTS: `${clients}`,
    },
    { pinned: false },
  );
  resources.use(caller);
  return {
    name: `Node and postgres, ${clients} clients`,
    remark:
      'There is no pgbench on this machine, and none in the PostgreSQL from npm: the other side is a Node program with the driver postgres that sends the same statements.',
    run: (seconds) => caller.round(seconds),
  };
}

interface Round {
  perSecond: number;
  p99: number;
  /** CPU time of the servers per order, in microseconds. */
  cpu: number;
}

/** Places orders at several servers at the same time. */
async function loadTogether(servers: readonly BenchServer[]): Promise<Round> {
  const cpuTime = async (): Promise<number> =>
    (await Promise.all(servers.map((server) => server.cpuTime()))).reduce((sum, time) => sum + time, 0);
  const before = await cpuTime();
  const loads = await Promise.all(
    servers.map(({ baseUrl }) =>
      load(postOrder(baseUrl, bodyWithoutPromo), roundSeconds, clients / servers.length),
    ),
  );
  const cpu = (await cpuTime()) - before;
  const perSecond = loads.reduce((sum, load) => sum + load.perSecond, 0);
  return {
    perSecond,
    p99: Math.max(...loads.map(({ p99 }) => p99)),
    cpu: cpu / (perSecond * roundSeconds),
  };
}

const named = (count: number): string => (count === 1 ? '1 process' : `${count} processes`);

const figuresOf = (count: number, done: readonly Round[]): Figure[] => [
  { name: named(count), unit: 'orders/s', values: done.map(({ perSecond }) => perSecond) },
  { name: named(count), unit: 'ms p99', values: done.map(({ p99 }) => p99) },
  { name: named(count), unit: 'µs CPU/order', values: done.map(({ cpu }) => cpu) },
];

export const postgresql: Measure = {
  name: 'postgres',
  about: `POST /api/order, two server processes on one PostgreSQL, ${clients} connections, against as many clients that send the statements of an order; and 1, 2 and 4 processes`,
  async run() {
    await using folder = await temporaryFolder();
    // Imported here, because the module handles signals and the end of the process, which would affect the other measures.
    const { startPostgres } = await import('../../packages/server/test/helpers/postgres.ts');
    const log: string[] = [];
    await using database = await startPostgres({ durable: true, onLog: (lines) => log.push(lines) });
    await using resources = new AsyncDisposableStack();
    const url = await database.newSchema();
    const servers: BenchServer[] = [];
    while (servers.length < Math.max(...processes))
      servers.push(
        resources.use(await startBenchServer('topup.ts', { TOPUP_STORE: url }, { pinned: false })),
      );
    const [first] = servers;
    if (!first) throw new Error('there is a server');
    const recorded = await recordOrder(url, first, () => log.join(''));
    const other = await prepareOther(url, recorded, folder.path, resources);

    // A cold server may reject some of the first requests. In a measured round, this is an error.
    for (const server of servers) await loadTogether([server]).catch(() => {});
    await other.run(roundSeconds);
    const done = processes.map((count) => ({ count, rounds: [] as Round[] }));
    const others: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const { count, rounds } of done) rounds.push(await loadTogether(servers.slice(0, count)));
      others.push(await other.run(roundSeconds));
    }
    const two = done.find(({ count }) => count === 2)?.rounds ?? [];
    return {
      figures: [
        ...done.flatMap(({ count, rounds }) => figuresOf(count, rounds)),
        { name: other.name, unit: 'transactions/s', values: others },
      ],
      bars: [
        {
          name: `two processes / ${other.name}`,
          value: median(two.map(({ perSecond }, round) => perSecond / (others[round] ?? Number.NaN))),
          kind: 'at least',
          bar: 0.55,
        },
      ],
      curves: [
        {
          name: 'processes',
          about: 'POST /api/order by servers on one PostgreSQL',
          axis: 'processes',
          series: [
            {
              name: 'PostgreSQL',
              points: done.map(({ count, rounds }) => ({
                at: count,
                perSecond: median(rounds.map(({ perSecond }) => perSecond)),
                p99: median(rounds.map(({ p99 }) => p99)),
              })),
            },
          ],
        },
      ],
      remarks: [
        other.remark,
        notPinned,
        `The statements: ${recorded.statements.map(({ text }) => text.split(/\s+/).slice(0, 3).join(' ')).join('; ')}.`,
      ],
    };
  },
};
