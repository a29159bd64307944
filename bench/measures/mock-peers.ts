import { startBenchServer } from '../bench-process.ts';
import { compareAll, ratioOf } from '../compare.ts';
import type { Measure } from '../measure.ts';
import { startPeers } from '../peers.ts';
import { get, postOrder, sendOnce } from '../requests.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const mockPeers: Measure = {
  name: 'mock-peers',
  about:
    'payment-status of one order from the sandbox, 50 connections, against json-server, Mockoon, Prism and a fixture server like stripe-mock with the same response',
  async run() {
    await using folder = await temporaryFolder();
    await using servers = new AsyncDisposableStack();
    const topup = servers.use(await startBenchServer('topup.ts', { TOPUP_STORE: 'memory:' }));
    const { orderId } = await (await sendOnce(postOrder(topup.baseUrl))).json();
    const path = `/invoice/${orderId}/payment-status`;
    const request = get(topup.baseUrl + path);
    const body = await (await sendOnce(request)).json();
    const { peers, fixtures } = await startPeers(
      {
        path: '/invoice/{order_id}/payment-status',
        requested: path,
        body,
        jsonServer: { data: { statuses: [{ id: orderId, ...body }] }, requested: `/statuses/${orderId}` },
      },
      folder.path,
      servers,
    );
    const { sides, figures, remarks } = await compareAll([
      { name: 'topup', server: topup, request },
      fixtures,
      ...peers,
    ]);
    const [ours, , ...others] = sides;
    if (!ours) throw new Error('topup is the first side');
    return {
      figures,
      bars: [
        {
          name: 'topup / the best peer from npm',
          value: Math.min(...others.map((other) => ratioOf(ours, other))),
          kind: 'at least',
          bar: 1,
        },
      ],
      remarks: [
        ...remarks,
        'The fixture server is ours. It keeps no state, so it is a limit and not a peer. msw is compared by the measures mock and mock-msw.',
      ],
    };
  },
};
