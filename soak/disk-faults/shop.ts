import { defaultLimits } from '@topup-kit/core/app';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import type { Store } from '@topup-kit/core/store';
import { pino } from 'pino';
import { readConfig } from '../../packages/server/src/index.ts';
import { createMetrics } from '../../packages/server/src/observability/metrics.ts';
import { claimStore } from '../../packages/server/src/service/open-store.ts';
import { createService } from '../../packages/server/src/service/service.ts';
import { fixtureOrder } from '../../packages/server/test/helpers/sandbox.ts';

const key = 'a key that is long enough';

export interface Reply {
  status: number;
  retryAfter: string | null;
  body: { success: boolean; message: string; orderId?: string };
}

/** Opens a sandbox server on a store, in this process. */
export async function openShop(store: Store, failure: () => Error | null) {
  await claimStore(store, 'sandbox', sandboxCatalog('en'));
  const clock = Date.now;
  const { app } = createService(
    readConfig({ TOPUP_MODE: 'sandbox' }),
    {},
    {
      store,
      fixedKeys: [{ key, directOnly: false }],
      logger: pino({ level: 'silent' }),
      world: { now: clock, unheld: clock, offset: () => 0, setOffset: () => {}, hold: () => {} },
      emit: () => {},
      metrics: createMetrics(),
      whyUnready: async () => null,
      failure,
      settings: {
        publicUrl: 'http://shop.test',
        basePath: '/api',
        timezone: 'Asia/Jakarta',
        locale: 'id',
        currency: 'IDR',
        limits: { ...defaultLimits, readsPerMinute: 0, ordersPerMinute: 0 },
      },
    },
  );
  return {
    async order(idempotencyKey: string): Promise<Reply> {
      const response = await app.fetch(
        new Request('http://shop.test/api/order', {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            'X-API-KEY': key,
            'Idempotency-Key': idempotencyKey,
          },
          body: JSON.stringify(fixtureOrder),
        }),
      );
      return {
        status: response.status,
        retryAfter: response.headers.get('Retry-After'),
        body: JSON.parse(await response.text()),
      };
    },
    async health(): Promise<number> {
      return (await app.fetch(new Request('http://shop.test/health'))).status;
    },
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;
