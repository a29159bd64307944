import { join } from 'node:path';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import { createMemoryStore, type Store } from '@topup-kit/core/store';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestService, fixtureOrder } from '../../core/test/helpers/test-service.ts';
import { openStore } from '../src/index.ts';
import { usePostgres } from './helpers/shared-postgres.ts';
import { tempFolder } from './helpers/store-file.ts';

const server = usePostgres();

const stores: [kind: string, make: () => Promise<Store>, runs: number][] = [
  ['memory', async () => createMemoryStore(), 60],
  ['a file', async () => openStore({ kind: 'file', path: join(tempFolder(), 'topup.db') }), 40],
  ['PostgreSQL', async () => openStore({ kind: 'postgres', url: await server.newSchema() }), 25],
];

/** What the three reads have in common (open points: the shapes of the invoice, of payment-status, and of the list). */
interface Shown {
  order_id: string;
  payment_status: string;
  buy_status: string;
  expired_time: number;
}
const shownOf = ({ order_id, payment_status, buy_status, expired_time }: Shown): Shown => ({
  ...{ order_id, payment_status, buy_status, expired_time },
});

/** The pairs of states that the tables of the open points lead to. */
const legal = /^(UNPAID Pending|PAID (Proses|Sukses|Gagal)|(EXPIRED|FAILED) Batal|REFUND Gagal)$/;

const actions = ['pay', 'fail', 'expire', 'deliver', 'fail-delivery', 'refund'] as const;
const unpromoted = { ...fixtureOrder, promo_code: undefined };
/** An order paid by the first method expires after half an hour, one by the other after a day. */
const methods = [12, 14] as const;
const readOrders = [
  ['status', 'invoice', 'list'],
  ['invoice', 'list', 'status'],
  ['list', 'status', 'invoice'],
] as const;
/** The clock runs past what is due, and nothing but a read does the work; or it is set back a little. */
const seconds = fc.constantFrom(1, 1_799, 1_800, 86_399, 86_400, -30);

const steps = fc.array(
  fc.record({
    does: fc.oneof(
      fc.record({ order: fc.constantFrom(...methods) }),
      fc.record({ pass: seconds }),
      fc.record({ act: fc.constantFrom(...actions), which: fc.nat(2) }),
    ),
    /** A read may expire an order: each of them comes first now and then. */
    reads: fc.constantFrom(...readOrders),
  }),
  { minLength: 4, maxLength: 14 },
);

describe.each(stores)('status, invoice and list of an order in %s', (_kind, make, numRuns) => {
  it('shows the same order in status, invoice and list at every moment, and never shows an expired order as unpaid', async () => {
    const store = await make();
    onTestFinished(() => store.close());
    await store.replaceCatalog(sandboxCatalog());
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        await store.clearOrders();
        const service = await createTestService({ after: store });
        const { clock, sandbox } = service;
        const ids: string[] = [];

        const read = {
          status: async () =>
            Promise.all(
              ids.map(async (id) => shownOf((await service.get(`/invoice/${id}/payment-status`)).json.data)),
            ),
          invoice: async () =>
            Promise.all(ids.map(async (id) => shownOf((await service.get(`/invoice/${id}`)).json.order))),
          list: () => listed(''),
        };
        /** In the order of `ids`. */
        async function listed(query: string): Promise<Shown[]> {
          const data: Shown[] = (await service.get(`/orders?limit=100${query}`)).json.data;
          return data.map(shownOf).sort((a, b) => ids.indexOf(a.order_id) - ids.indexOf(b.order_id));
        }

        for (const { does, reads } of all) {
          if ('pass' in does) clock.now += does.pass * 1_000;
          else if ('order' in does)
            ids.push((await service.order({ ...unpromoted, payment_method_id: does.order })).json.orderId);
          // What an order's state doesn't allow changes nothing.
          else await sandbox.act(ids[does.which] ?? '', does.act).catch(() => {});

          const [first, second, third] = reads;
          const shown = await read[first]();
          expect(await read[second]()).toEqual(shown);
          expect(await read[third]()).toEqual(shown);
          expect(shown.map(({ order_id }) => order_id)).toEqual(ids);
          for (const { payment_status, buy_status, expired_time } of shown) {
            expect(`${payment_status} ${buy_status}`).toMatch(legal);
            // `expired_time` is in unix seconds; at that moment the order has expired.
            if (payment_status === 'UNPAID') expect(clock.now).toBeLessThan(expired_time * 1_000);
          }
          for (const status of new Set(shown.map(({ payment_status }) => payment_status)))
            expect(await listed(`&payment_status=${status}`)).toEqual(
              shown.filter(({ payment_status }) => payment_status === status),
            );
        }
      }),
      { numRuns, seed: 43 },
    );
  });
});
