import { startBenchServer } from '../bench-process.ts';
import { compareAll, ratioOf } from '../compare.ts';
import type { Measure } from '../measure.ts';
import { startPeers } from '../peers.ts';
import { get, sendOnce } from '../requests.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const listPeers: Measure = {
  name: 'list-peers',
  about: 'GET /api/games, 50 connections, against the same list served by json-server, Mockoon and Prism',
  async run() {
    await using folder = await temporaryFolder();
    await using servers = new AsyncDisposableStack();
    const topup = servers.use(await startBenchServer('topup.ts', { TOPUP_STORE: 'memory:' }));
    const request = get(`${topup.baseUrl}/games`);
    const body = await (await sendOnce(request)).json();
    const { peers } = await startPeers(
      {
        path: '/games',
        requested: '/games',
        body,
        jsonServer: { data: { games: body }, requested: '/games' },
      },
      folder.path,
      servers,
    );
    const { sides, figures, remarks } = await compareAll([
      { name: 'topup', server: topup, request },
      ...peers,
    ]);
    const [ours, ...others] = sides;
    if (!ours) throw new Error('topup is the first side');
    return {
      figures,
      bars: [
        {
          name: 'topup / the best of them',
          value: Math.min(...others.map((other) => ratioOf(ours, other))),
          kind: 'at least',
          bar: 6,
        },
      ],
      remarks,
    };
  },
};
