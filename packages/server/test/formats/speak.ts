import { readConfig, startServer } from '../../src/index.ts';
import type { Recorded, RecordedOrder } from './formats.ts';

/** Sends a request to a server with a key. */
const send = (localUrl: string, key: string, path: string, sent: RequestInit = {}): Promise<Response> =>
  fetch(`${localUrl}/api${path}`, {
    ...sent,
    headers: { 'X-API-KEY': key, 'Content-Type': 'application/json', ...sent.headers },
  });

/** What a server says about a store. */
export interface Said {
  orders: RecordedOrder[];
  /** The responses to the recorded orders, sent again with their idempotency keys. */
  replays: { response: string; isReplay: boolean }[];
  /** The status of a request with the revoked key. */
  revoked: number;
  /** The status of a new order. */
  placed: number;
}

/** Asks a sandbox everything that was recorded of a store, and places a new order. */
export async function ask(localUrl: string, { key, revokedKey, placed, orders }: Recorded): Promise<Said> {
  const text = async (path: string): Promise<string> => (await send(localUrl, key, path)).text();
  const said: RecordedOrder[] = [];
  for (const { id } of orders)
    said.push({
      id,
      invoice: await text(`/invoice/${id}`),
      status: await text(`/invoice/${id}/payment-status`),
    });
  const replays: Said['replays'] = [];
  for (const { headers, body } of placed) {
    const response = await send(localUrl, key, '/order', { method: 'POST', headers, body });
    replays.push({
      response: await response.text(),
      isReplay: response.headers.get('Idempotency-Replayed') === 'true',
    });
  }
  const [first] = placed;
  const again = await send(localUrl, key, '/order', { method: 'POST', body: first?.body ?? '' });
  const revoked = await send(localUrl, revokedKey, '/games');
  return { orders: said, replays, revoked: revoked.status, placed: again.status };
}

/** Starts a sandbox of this version over a store, so many milliseconds after the moment when the store was recorded. */
export const serveRecorded = (store: string, { now }: Recorded, later = 0) =>
  startServer(
    readConfig({
      ...{ TOPUP_MODE: 'sandbox', TOPUP_STORE: store, TOPUP_PUBLIC_URL: 'http://shop.example' },
      ...{ PORT: '0', TOPUP_LOG_LEVEL: 'silent' },
    }),
    { realClock: () => now + later },
  );
