import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxKey } from '@topup-kit/core/contract';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { issueLiveKey } from '../../packages/server/test/helpers/live-shop.ts';
import { type BenchServer, startBenchServer } from '../bench-process.ts';
import { compareAll, cpuFigure, cpuRatioOf, ratioOf } from '../compare.ts';
import type { LoadRequest } from '../load.ts';
import type { Bar, Measure } from '../measure.ts';
import { get, keyHeaders } from '../requests.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const store = { TOPUP_STORE: 'memory:' };

/** Starts a live server on a file, with limits that nobody reaches, and with a key in its store. */
async function startLive(folder: string): Promise<{ server: BenchServer; request: LoadRequest }> {
  const path = join(folder, 'live.db');
  const catalog = join(folder, 'catalog.json');
  await writeFile(catalog, JSON.stringify(sandboxCatalogFile));
  const key = await issueLiveKey(path);
  const server = await startBenchServer('topup-live.ts', {
    TOPUP_STORE: `file:${path}`,
    TOPUP_CATALOG: catalog,
    TOPUP_READS_PER_MINUTE: '1000000000',
    TOPUP_LOG_LEVEL: 'warn',
  });
  const request = get(`${server.baseUrl}/games`);
  return { server, request: { ...request, headers: { ...keyHeaders, 'X-API-KEY': key } } };
}

export const list: Measure = {
  name: 'list',
  about:
    'GET /api/games, key checked, 50 connections, of a sandbox and of a live server, against raw node:http that sends the same prepared bytes; with --against also against another commit',
  async run(against) {
    await using folder = await temporaryFolder();
    await using sandbox = await startBenchServer('topup.ts', store);
    const url = `${sandbox.baseUrl}/games`;
    const { server, request } = await startLive(folder.path);
    await using live = server;
    await using raw = await startBenchServer('ready-bytes.ts', { RESPONSE_OF: url, API_KEY: sandboxKey });
    await using before = against && (await startBenchServer('topup.ts', store, { of: against }));
    const { sides, figures, remarks } = await compareAll([
      { name: 'sandbox', server: sandbox, request: get(url) },
      { name: 'raw node:http', server: raw, request: get(raw.baseUrl) },
      { name: 'live', server: live, request },
      ...(before
        ? [{ name: `sandbox at ${against?.name}`, server: before, request: get(`${before.baseUrl}/games`) }]
        : []),
    ]);
    const [ofSandbox, theirs, ofLive, earlier] = sides;
    if (!ofSandbox || !theirs || !ofLive) throw new Error('there are three sides or more');
    const atLeast = (name: string, value: number): Bar => ({ name, value, kind: 'at least', bar: 0.8 });
    return {
      figures: [...figures, ...(earlier ? [cpuFigure(ofSandbox, earlier)] : [])],
      bars: [
        atLeast('sandbox / raw node:http', ratioOf(ofSandbox, theirs)),
        atLeast('the same by CPU time', cpuRatioOf(ofSandbox, theirs)),
        atLeast('live / raw node:http', ratioOf(ofLive, theirs)),
        atLeast('the same by CPU time', cpuRatioOf(ofLive, theirs)),
      ],
      remarks,
    };
  },
};
