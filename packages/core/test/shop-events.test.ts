import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { shopEventTypes } from '../src/contract/index.ts';
import { type Alert, createEndpoint, editCatalog, setPrice } from '../src/features/index.ts';
import { createMemoryStore, type Store } from '../src/features/store.ts';
import { noteAlerts } from '../src/features/webhooks/outbox.ts';
import { secureRandom } from '../src/platform/index.ts';
import { createTestService } from './helpers/test-service.ts';

const now = Date.UTC(2026, 2, 28, 3);
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

const addEndpoint = (store: Store, accountId: string | null, createdAt = now) =>
  createEndpoint(
    { store, random: secureRandom, realClock: () => createdAt, seal: (secret) => secret },
    { accountId, url: 'https://ops.test/', types: shopEventTypes, description: '', disabled: null },
  );

/** What is to be sent, oldest first. */
async function eventsIn(store: Store): Promise<{ type: string; data: unknown }[]> {
  const deliveries = await store.listWebhookDeliveries({ limit: 100 });
  const events = await Promise.all(
    deliveries.reverse().map(({ eventId }) => store.findWebhookEvent(eventId)),
  );
  return events.map((event) => {
    const { type, data } = JSON.parse(event?.body ?? '{}');
    return { type, data };
  });
}

const alert = (kind: Alert['kind'], ...subjects: string[]): Alert => ({
  kind,
  subjects,
  names: subjects.slice(0, 10),
  count: subjects.length,
  sentence: `${subjects.length} of ${kind}`,
});

describe('alerts', () => {
  const note = (store: Store, ...alerts: Alert[]): Promise<boolean> =>
    noteAlerts({ store, hash, realClock: () => now }, alerts);

  it('sends an alert once when it starts, once when it grows, and once when it ends', async () => {
    const store = createMemoryStore();
    await addEndpoint(store, null);
    await note(store, alert('failed-deliveries', 'INV-1'));
    await note(store, alert('failed-deliveries', 'INV-1'));
    await note(store, alert('failed-deliveries', 'INV-1', 'INV-2'));
    // Less of it is nothing new.
    await note(store, alert('failed-deliveries', 'INV-2'));
    await note(store);
    await note(store);
    const told = (type: string, sentence: string, ...names: string[]) => ({
      type,
      data: { kind: 'failed-deliveries', sentence, count: names.length, names },
    });
    expect(await eventsIn(store)).toEqual([
      told('alert.raised', '1 of failed-deliveries', 'INV-1'),
      told('alert.raised', '2 of failed-deliveries', 'INV-1', 'INV-2'),
      told('alert.cleared', '2 of failed-deliveries'),
    ]);
  });

  it('sends an alert once from two servers, and again if it returns after its end', async () => {
    const store = createMemoryStore();
    await addEndpoint(store, null);
    await Promise.all([
      note(store, alert('stuck-orders', 'INV-1')),
      note(store, alert('stuck-orders', 'INV-1')),
    ]);
    expect(await eventsIn(store)).toHaveLength(1);
    await note(store);
    await note(store, alert('stuck-orders', 'INV-1'));
    expect((await eventsIn(store)).map(({ type }) => type)).toEqual([
      'alert.raised',
      'alert.cleared',
      'alert.raised',
    ]);
  });

  it("sends each supplier's balance with an alert about a low balance", async () => {
    const store = createMemoryStore();
    await addEndpoint(store, null);
    await store.saveSupplierBalance({ supplier: 'a', balance: 40_000, alertBelow: 100_000, readAt: now });
    await store.saveSupplierBalance({ supplier: 'b', balance: 900_000, alertBelow: 100_000, readAt: now });
    await note(store, alert('low-balance', 'a'));
    await store.saveSupplierBalance({ supplier: 'b', balance: 1, alertBelow: 100_000, readAt: now });
    await note(store, alert('low-balance', 'a', 'b'));
    expect((await eventsIn(store)).filter(({ type }) => type === 'balance.low')).toEqual([
      { type: 'balance.low', data: { supplier: 'a', balance: 40_000, alert_below: 100_000 } },
      { type: 'balance.low', data: { supplier: 'b', balance: 1, alert_below: 100_000 } },
    ]);
  });

  it('sends no alerts to the endpoint of an account', async () => {
    const store = createMemoryStore();
    await addEndpoint(store, 'web-shop');
    await note(store, alert('stuck-orders', 'INV-1'));
    expect(await eventsIn(store)).toEqual([]);
  });
});

describe('edits of the catalogue', () => {
  it('sends each edit of the catalogue once, in sequence, from the time when the endpoint was created', async () => {
    const service = await createTestService({
      webhooks: {
        send: () => Promise.reject(new Error('away')),
        secrets: { open: (secret) => secret },
        isBusy: () => false,
        stop: new AbortController().signal,
      },
    });
    const { store, clock, engine } = service;
    const edit = (price: number) =>
      editCatalog(
        { store, realClock: () => clock.now, operator: 'ani' },
        `set-price ML86 ${price}`,
        setPrice('ML86', price),
      );
    await edit(21_000);
    clock.now += 3_600_000;
    await addEndpoint(store, null, clock.now);
    for (const price of [22_000, 23_000]) {
      await edit(price);
      await engine.dueWork.run();
      await engine.dueWork.run();
    }
    const told = await eventsIn(store);
    expect(told.map(({ type }) => type)).toEqual(['catalog.changed', 'catalog.changed']);
    expect(told[0]?.data).toEqual({
      number: expect.any(Number),
      command: 'set-price ML86 22000',
      by: 'ani',
      changes: 1,
      keys: ['ML86'],
    });
  });
});
