import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { order, place } from '../../suites/src/store/fixtures.ts';
import { spawnTopup } from './helpers/child.ts';
import { inStore, ownStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';

const count = 600;
const phone = '081277712345';

/** Delivered orders of one person that failed their payments, which takes no service. */
const own = ownStore((path) =>
  inStore(path, async (store) => {
    const numbers = Array.from({ length: count }, (_, number) => number);
    const idOf = (number: number): string => `INV-20260328100000-${String(number).padStart(8, 'A')}`;
    const from = { paymentStatus: 'UNPAID', buyStatus: 'Pending' } as const;
    const to = { paymentStatus: 'FAILED', buyStatus: 'Batal' } as const;
    await store.claimMode('sandbox');
    await Promise.all(
      numbers.map((number) =>
        store.placeOrder(
          place(
            order({
              orderId: idOf(number),
              target: { id: '55544433', server: null, nickname: 'BudiPro' },
              contact: { email: null, whatsapp: phone },
              payment: { reference: `ref-${number}`, code: null, url: null, qrString: null },
            }),
          ),
        ),
      ),
    );
    await Promise.all(
      numbers.map((number) =>
        store.changeOrder({
          ...{ orderId: idOf(number), version: 1, to, promo: 'keep', units: [], serialNumber: null },
          ...{
            settles: [],
            refunds: [],
            entry: { at: 1, event: 'failed', by: 'gateway', from, to, note: 'Budi' },
          },
        }),
      ),
    );
  }),
);

const erasedSoFar = (): Promise<number> =>
  own.inStore(async (store) => (await store.listErasures()).reduce((sum, { orders }) => sum + orders, 0));

it('leaves complete orders when an erasure is killed, and finishes the erasure with the same command', async () => {
  const topup = (...args: string[]) => run(args, { environment: { TOPUP_STORE: own.url } });
  const erase = ['customers', 'erase', '--phone', phone, '--yes'];
  await using child = spawnTopup(erase, [], { TOPUP_STORE: own.url });
  while ((await erasedSoFar()) === 0) await pause(5);
  child.process.kill('SIGKILL');
  await child.ended;
  const erased = await erasedSoFar();
  expect(erased).toBeGreaterThan(0);
  expect(erased).toBeLessThan(count);
  expect((await topup('db', 'verify')).code).toBe(0);
  const { orders } = JSON.parse((await topup('customers', 'show', '--phone', phone, '--json')).stdout);
  expect(orders).toHaveLength(count - erased);
  expect(await topup(...erase)).toMatchObject({
    code: 0,
    stdout: `The personal data of ${count - erased} orders was erased.\n`,
  });
  expect(await erasedSoFar()).toBe(count);
  expect((await topup('db', 'verify')).code).toBe(0);
  for (const text of ['81277712345', 'Budi', '55544433'])
    expect([text, readFileSync(own.path).toString('latin1').includes(text)]).toEqual([text, false]);
});
