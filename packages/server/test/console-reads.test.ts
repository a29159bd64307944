import type { RequestContext } from '@topup-kit/core/app';
import { createMemoryStore } from '@topup-kit/core/store';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { mountConsole } from '../src/features/console/console.ts';
import { overStore } from './helpers/over-store.ts';

/** Asks a console for pages. Returns the reads of its store, each as its name with what was asked. */
async function readsOf(...paths: string[]): Promise<string[]> {
  const reads: string[] = [];
  const { revision } = createMemoryStore();
  const store = new Proxy(createMemoryStore(), {
    get: (target, name) => {
      const read: unknown = Reflect.get(target, name);
      if (name === 'revision') return revision;
      if (typeof read !== 'function') return read;
      return (...given: unknown[]): unknown => {
        reads.push(`${String(name)} ${JSON.stringify(given)}`);
        return Reflect.apply(read, target, given);
      };
    },
  });
  const [deps, { visitor }] = overStore(store);
  const router = new Hono<{ Bindings: RequestContext }>();
  const catalog = { games: [], paymentMethodById: new Map() };
  // Safe: the pages use nothing else of an engine.
  const engine = { catalog: async () => catalog } as unknown as (typeof deps)['engine'];
  mountConsole(router, {
    ...{ ...deps, engine, admit: async () => visitor, realClock: Date.now, failure: () => null },
    ...{ providers: { gateway: 'tripay', suppliers: [] }, countServers: () => 1 },
    reportError: (error) => expect.fail(String(error)),
  });
  // Safe: the console reads nothing else of a request's context.
  const context = { locale: 'en' } as unknown as RequestContext;
  for (const path of paths) {
    const response = await router.request(`/console${path}`, {}, context);
    expect(await response.text()).toContain('<main');
    expect(response.status).toBe(200);
  }
  return reads;
}

it.each(['', '/orders', '/orders?payment=UNPAID', '/payments', '/payments?closed=1'])(
  'reads the work that waits for an operator once for the page /console%s',
  async (path) => {
    const reads = await readsOf(path);
    const waiting = reads.filter((read) =>
      /^(findProblemOrders|list(Refunds|Reconciliations)|read)/.test(read),
    );
    expect(waiting.filter((read, index) => waiting.indexOf(read) !== index)).toEqual([]);
    expect(waiting).toContain('listRefunds ["to-pay"]');
  },
);

it('reads the lists of suppliers again only after a change', async () => {
  const reads = await readsOf('', '', '');
  expect(reads.filter((read) => read.startsWith('readSupplierLists'))).toHaveLength(1);
});
