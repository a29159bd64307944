import { describe, expect, it } from 'vitest';
import { isWebhookSecret } from '../src/contract/index.ts';
import { createEndpoint, editEndpoint, rotateSecret, sendTestEvent } from '../src/features/index.ts';
import { createMemoryStore, type WebhookStore } from '../src/features/store.ts';
import { type RandomBytes, secureRandom } from '../src/platform/index.ts';

const now = Date.parse('2026-03-29T10:00:00+07:00');
const deps = (store: WebhookStore, random: RandomBytes = secureRandom) => ({
  store,
  random,
  realClock: () => now,
  seal: (secret: string, endpointId: string) => `sealed for ${endpointId}: ${secret}`,
});
const chosen = {
  accountId: 'web',
  url: 'https://shop.example/hooks',
  types: ['order.paid'],
  description: 'the shop',
  disabled: null,
} as const;

/** Another change of the endpoint comes first, once. */
function contested(store: WebhookStore, change: () => Promise<unknown>): WebhookStore {
  let isFirst = true;
  return {
    ...store,
    async changeWebhookEndpoint(endpoint) {
      if (isFirst) {
        isFirst = false;
        await change();
      }
      return store.changeWebhookEndpoint(endpoint);
    },
  };
}

describe('an endpoint', () => {
  it('stores an endpoint with a separate encrypted secret', async () => {
    const store = createMemoryStore();
    const { endpoint, secret } = await createEndpoint(deps(store), chosen);
    expect(isWebhookSecret(secret)).toBe(true);
    expect(await store.listWebhookEndpoints()).toEqual([endpoint]);
    expect(endpoint).toEqual({
      ...chosen,
      endpointId: expect.stringMatching(/^ep_[a-z2-9]{8}$/),
      secret: `sealed for ${endpoint.endpointId}: ${secret}`,
      previousSecret: null,
      previousUntil: null,
      createdAt: now,
      failingSince: null,
      version: 1,
    });
  });

  it("creates another id if an endpoint's id is taken", async () => {
    const store = createMemoryStore();
    let calls = 0;
    // The same bytes for the first two ids.
    const random: RandomBytes = (length) => new Uint8Array(length).fill(calls++ < 4 ? 1 : 2);
    const ids = [];
    for (let count = 0; count < 2; count += 1)
      ids.push((await createEndpoint(deps(store, random), chosen)).endpoint.endpointId);
    expect(new Set(ids).size).toBe(2);
    expect(calls).toBeGreaterThan(4);
  });

  it("applies a change to the endpoint's current state when another operator changes it meanwhile", async () => {
    const store = createMemoryStore();
    const { endpointId } = (await createEndpoint(deps(store), chosen)).endpoint;
    const racing = contested(store, () => editEndpoint(deps(store), endpointId, { description: 'theirs' }));
    await editEndpoint(deps(racing), endpointId, { url: 'https://other.example/' });
    expect(await store.listWebhookEndpoints()).toMatchObject([
      { description: 'theirs', url: 'https://other.example/', version: 3 },
    ]);
  });

  it('rejects a change of an endpoint that was deleted meanwhile', async () => {
    const store = createMemoryStore();
    const { endpointId } = (await createEndpoint(deps(store), chosen)).endpoint;
    const racing = contested(store, () => store.deleteWebhookEndpoint(endpointId));
    const missing = { conflict: 'endpoint_missing' };
    expect(await rotateSecret(deps(racing), endpointId, 1)).toEqual(missing);
    expect(await editEndpoint(deps(store), endpointId, {})).toEqual(missing);
  });

  it('signs with two secrets during a rotation, and with one secret if the other secret ends immediately', async () => {
    const store = createMemoryStore();
    const { endpoint } = await createEndpoint(deps(store), chosen);
    const rotated = await rotateSecret(deps(store), endpoint.endpointId, 60_000);
    if ('conflict' in rotated) throw new Error(rotated.conflict);
    expect(rotated.endpoint).toMatchObject({ previousSecret: endpoint.secret, previousUntil: now + 60_000 });
    expect(rotated.endpoint.secret).toBe(`sealed for ${endpoint.endpointId}: ${rotated.secret}`);
    expect(await rotateSecret(deps(store), endpoint.endpointId, 0)).toMatchObject({
      endpoint: { previousSecret: null, previousUntil: null },
    });
  });

  it('sends a test event only to its endpoint', async () => {
    const store = createMemoryStore();
    const { endpoint } = await createEndpoint(deps(store), { ...chosen, types: [] });
    await createEndpoint(deps(store), chosen);
    const eventId = await sendTestEvent(deps(store), endpoint);
    expect(eventId).toMatch(/^evt_[\da-f]{24}$/);
    const deliveries = await store.listWebhookDeliveries({ limit: 10 });
    expect(deliveries).toMatchObject([
      { eventId, endpointId: endpoint.endpointId, state: 'pending', nextAt: now },
    ]);
    const event = await store.findWebhookEvent(eventId);
    expect(JSON.parse(event?.body ?? '')).toEqual({
      type: 'webhook.test',
      timestamp: '2026-03-29T03:00:00.000Z',
      data: { message: 'This is a test. Nothing has happened.' },
    });
  });
});
