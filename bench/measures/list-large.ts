import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxKey } from '@topup-kit/core/contract';
import { generateCatalog } from '@topup-kit/mock/catalog';
import { type BenchServer, startBenchServer } from '../bench-process.ts';
import { type Compared, type ComparisonOfTwo, compare, compareAll, type Side } from '../compare.ts';
import type { CurvePoint, Measure } from '../measure.ts';
import { get, keyHeaders, sendOnce } from '../requests.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Numbers of games: the intermediate numbers, and the number with a limit. */
const smaller = [100, 1_000];
const large = 10_000;

async function startWith(games: number, folder: string): Promise<BenchServer> {
  const catalog = join(folder, `${games}.json`);
  await writeFile(catalog, JSON.stringify(generateCatalog({ games, products: 4 })));
  return startBenchServer('topup.ts', { TOPUP_STORE: 'memory:', TOPUP_CATALOG: catalog });
}

/** Starts a server with this number of games, and a raw node:http server with the bytes of its list. */
async function startPair(
  games: number,
  folder: string,
  servers: AsyncDisposableStack,
): Promise<{ topup: Side; raw: Side }> {
  const topup = servers.use(await startWith(games, folder));
  const url = `${topup.baseUrl}/games`;
  const environment = { RESPONSE_OF: url, API_KEY: sandboxKey };
  const raw = servers.use(await startBenchServer('ready-bytes.ts', environment));
  return {
    topup: { name: `topup, ${games} games`, server: topup, request: get(url) },
    raw: { name: `raw node:http, ${games} games`, server: raw, request: get(raw.baseUrl) },
  };
}

/** Compares responses to a client that already has the list. */
async function compareUnchanged(
  { server, request }: Side,
  servers: AsyncDisposableStack,
): Promise<ComparisonOfTwo> {
  const { headers } = await sendOnce(request);
  const environment = { RESPONSE_OF: request.url, API_KEY: sandboxKey, NOT_MODIFIED: 'yes' };
  const bare = servers.use(await startBenchServer('ready-bytes.ts', environment));
  const ifChanged = {
    headers: { ...keyHeaders, 'If-None-Match': headers.get('ETag') ?? '' },
    expectStatus: 304,
  };
  return compare(
    { name: 'topup, 304', server, request: { ...request, ...ifChanged } },
    { name: 'bare 304', server: bare, request: { ...get(bare.baseUrl), ...ifChanged } },
  );
}

export const listLarge: Measure = {
  name: 'list-large',
  about:
    'GET /api/games with 10,000 games, and a 304 for those, against raw node:http that sends the same bytes, and a bare 304',
  async run() {
    await using folder = await temporaryFolder();
    await using servers = new AsyncDisposableStack();
    const pairs = [];
    for (const games of smaller) pairs.push(await startPair(games, folder.path, servers));
    const grow = await compareAll(pairs.flatMap(({ topup, raw }) => [topup, raw]));
    const { topup, raw } = await startPair(large, folder.path, servers);
    const atLarge = await compare(topup, raw);
    const unchanged = await compareUnchanged(topup, servers);

    const points = (sides: readonly Compared[]): CurvePoint[] =>
      sides.map(({ perSecond, p99 }, index) => ({ at: [...smaller, large][index] ?? 0, perSecond, p99 }));
    const ours = grow.sides.filter((_, index) => index % 2 === 0);
    const theirs = grow.sides.filter((_, index) => index % 2 === 1);
    return {
      figures: [...grow.figures, ...atLarge.figures, ...unchanged.figures],
      bars: [
        { name: '10,000 games / raw node:http', value: atLarge.ratio, kind: 'at least', bar: 0.95 },
        { name: '304 / bare 304', value: unchanged.ratio, kind: 'at least', bar: 0.5 },
      ],
      curves: [
        {
          name: 'list',
          about: 'GET /api/games by the size of the catalogue',
          axis: 'games',
          series: [
            { name: 'topup', points: points([...ours, atLarge.first]) },
            { name: 'raw node:http', points: points([...theirs, atLarge.second]) },
          ],
        },
      ],
      remarks: [...new Set([...grow.remarks, ...atLarge.remarks, ...unchanged.remarks])],
    };
  },
};
