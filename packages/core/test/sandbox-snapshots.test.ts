import { describe, expect, it, vi } from 'vitest';
import { withChecksum } from '../src/contract/index.ts';
import { plantSeed } from '../src/features/sandbox/index.ts';
import { laterOrderFields } from '../src/store/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

type Sandbox = Awaited<ReturnType<typeof createTestService>>['sandbox'];

const sorted = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, item]) => [name, sorted(item)]),
      );

/** A file that somebody wrote, with the checksum that belongs to it. */
const signed = (content: object): object => ({
  ...content,
  checksum: withChecksum(JSON.stringify(sorted(content))).slice(-6),
});

/** Each way back to how the sandbox was. */
const ways: [way: string, prepare: (sandbox: Sandbox) => Promise<() => Promise<unknown>>][] = [
  [
    'an id',
    async (sandbox) => {
      const { id } = await sandbox.snapshot();
      return () => sandbox.restore({ id });
    },
  ],
  [
    'a file',
    async (sandbox) => {
      const { snapshot } = await sandbox.snapshot();
      return () => sandbox.restore({ snapshot });
    },
  ],
  ['the undo of a seed', (sandbox) => sandbox.checkpoint()],
];

describe('a snapshot that is restored', () => {
  it.each(ways)('keeps the current keys after %s', async (_way, prepare) => {
    const service = await createTestService();
    await service.keyOf('revoked later');
    const goBack = await prepare(service.sandbox);
    const [revoked] = await service.store.listKeys();
    await service.store.revokeKey(revoked?.keyId ?? '', service.clock.now);
    const added = await service.keyOf('added later');
    const { orderId } = (await service.order()).json;

    await goBack();
    const keys = await service.store.listKeys();
    expect(keys.map(({ name, revokedAt }) => [name, revokedAt !== null])).toEqual([
      ['revoked later', true],
      ['added later', false],
    ]);
    expect((await service.get('/games', { key: added })).status).toBe(200);
    expect(await service.store.findOrder(orderId)).toBeNull();
  });

  it.each(['keys', 'customerSecret', 'consoleSessions', 'callbacks', 'anything'])(
    'rejects a file with the table %s, which is in no snapshot',
    async (name) => {
      const { sandbox, order } = await createTestService();
      const { checksum, ...content } = (await sandbox.snapshot()).snapshot;
      expect(signed(content)).toEqual({ ...content, checksum });
      const tables = { ...content.tables, [name]: {} };
      const { orderId } = (await order(fixtureOrder)).json;
      await expect(sandbox.restore({ snapshot: signed({ ...content, tables }) })).rejects.toMatchObject({
        fields: { snapshot: [{ rule: 'unknownParameter', params: { name: `tables.${name}` } }] },
      });
      expect(await sandbox.find(orderId)).toMatchObject({ orderId });
    },
  );

  it('adds fields to orders of earlier versions that lack them', async () => {
    const { sandbox, order, store: first } = await createTestService();
    const { orderId } = (await order(fixtureOrder)).json;
    const { checksum: _left, ...content } = (await sandbox.snapshot()).snapshot;
    const earlier = Object.entries(content.tables.orders as object).map(([id, { ...fields }]) => {
      for (const name of Object.keys(laterOrderFields)) delete fields[name];
      return [id, fields];
    });
    const tables = { ...content.tables, orders: Object.fromEntries(earlier) };

    const { sandbox: later, store } = await createTestService();
    await later.restore({ snapshot: signed({ ...content, tables }) });
    expect(await store.findOrder(orderId)).toEqual({
      ...(await first.findOrder(orderId)),
      ...laterOrderFields,
    });
    expect((await later.snapshot()).snapshot.tables.orders).toMatchObject({ [orderId]: laterOrderFields });
  });

  it('gives a new fault a unique id', async () => {
    const { sandbox: earlier } = await createTestService();
    for (const times of [1, 2, 3]) earlier.faults.add({ error: 'GAME_CLOSED', times });
    earlier.faults.remove(1);
    const { snapshot } = await earlier.snapshot();
    const { sandbox } = await createTestService();
    sandbox.faults.add({ error: 'UNAVAILABLE' });
    await sandbox.restore({ snapshot });
    sandbox.faults.add({ error: 'UNAVAILABLE' });
    expect(sandbox.faults.list().map(({ id }) => id)).toEqual([2, 3, 4]);
  });

  it.each(ways.slice(0, 2))('restores the receivers and faults of webhooks by %s', async (_way, prepare) => {
    const { sandbox } = await createTestService();
    const receive = () => new Response(null, { status: 204 });
    sandbox.webhooks.deliverTo(receive, 'http://shop.test/one');
    sandbox.webhooks.fault('lost');
    const goBack = await prepare(sandbox);
    sandbox.webhooks.deliverTo(receive, 'http://shop.test/two');
    sandbox.webhooks.fault('twice');

    await goBack();
    expect((await sandbox.snapshot()).snapshot.webhooks).toMatchObject({
      receivers: ['http://shop.test/one'],
      faults: ['lost'],
    });
  });
});

const seed = { format: 'topup-kit/seed@1', clock: '2026-03-29T10:00:00+07:00' };
it.each([
  ['an order', 'orders[1].state', { orders: [fixtureOrder, { ...fixtureOrder, state: 'PAID' }] }],
  ['a fault', 'faults[0].error', { orders: [fixtureOrder], faults: [{ error: 'NOPE' }] }],
  ['the catalogue', 'catalog.document', { catalog: { games: 1 } }],
])('rejects a seed with a mistake in %s before any change', async (_what, field, rest) => {
  const { sandbox } = await createTestService();
  const undo = vi.fn();
  const watched = { ...sandbox, checkpoint: async () => undo, setClock: vi.fn(), create: vi.fn() };
  await expect(plantSeed(watched, { ...seed, ...rest })).rejects.toMatchObject({
    fields: { [field]: expect.anything() },
  });
  expect([undo, watched.setClock, watched.create].flatMap(({ mock }) => mock.calls)).toEqual([]);
});
