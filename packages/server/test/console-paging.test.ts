import { describe, expect, it } from 'vitest';
import { callback } from '../../suites/src/store/callbacks/callback-cases.ts';
import { reconciliation } from '../../suites/src/store/fixtures.ts';
import { type Answer, ask, startConsole } from './helpers/console.ts';
import { startSandbox } from './helpers/sandbox.ts';

/** The rows of a list over all its pages, newest first, as far as its links lead. */
async function follow(
  look: (path: string) => Promise<Answer>,
  path: string,
  row: string,
): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | undefined = path; next !== undefined && pages.length < 20; ) {
    const { text } = await look(next);
    pages.push([...text.matchAll(new RegExp(`<tr id="${row}-([^"]+)"`, 'g'))].map(([, id = '']) => id));
    next = /rel="next" href="\/console([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  return pages;
}

describe('the list of', () => {
  it('explains how to add the first webhook, with the full command', async () => {
    await using server = await startSandbox();
    const { text } = await ask(`${server.consoleUrl}/events/webhooks`);
    expect(text).toContain('topup webhooks create --url https://shop.example/hooks --events all');
  });

  it('lists 50 webhook deliveries on a page, keeps the filter, and refreshes', async () => {
    await using live = await startConsole();
    const endpoint = {
      ...{ accountId: null, url: 'https://shop.test/', types: ['order.paid'], description: '', secret: 's' },
      ...{ previousSecret: null, previousUntil: null, createdAt: 0, failingSince: null, version: 1 },
    } as const;
    const endpointIds = ['ep_a', 'ep_b'];
    for (const endpointId of endpointIds)
      await live.store.addWebhookEndpoint({
        ...endpoint,
        types: ['order.paid'],
        endpointId,
        disabled: 'operator',
      });
    const names = Array.from({ length: 53 }, (_, index) => `evt_${100 + index}`);
    const event = {
      type: 'order.paid',
      accountId: null,
      orderId: null,
      createdAt: live.clock.now,
      body: '{}',
    } as const;
    await live.store.addWebhookEvents(
      names.map((eventId) => ({ event: { ...event, eventId }, endpointIds })),
      null,
    );
    const cookie = await live.logIn();
    const look = (path: string) => live.ask(path, { cookie });
    const newest = names.toReversed();
    const all = await follow(look, '/events/webhooks', 'delivery');
    expect(all.map(({ length }) => length)).toEqual([50, 50, 6]);
    expect(all.flat()).toEqual(newest.flatMap((name) => endpointIds.map((id) => `${name}-${id}`)));
    const filtered = await follow(look, '/events/webhooks?endpoint=ep_b&state=pending', 'delivery');
    expect(filtered.flat()).toEqual(newest.map((name) => `${name}-ep_b`));
    // A filtered list says so, and leads back.
    expect((await look('/events/webhooks?endpoint=ep_b')).text).toMatch(
      /<h2>Deliveries: ep_b<\/h2><p><a href="\/console\/events\/webhooks">All deliveries</,
    );
    expect(await follow(look, '/events/webhooks?after=nonsense', 'delivery')).toEqual(all);
    const { text } = await look('/events/webhooks');
    expect(text).toMatch(/<body[^>]* data-live="/);
    for (const part of ['endpoints', 'deliveries']) expect(text).toContain(`id="${part}" data-renew`);
  });

  it('payments says which of more than a hundred payments are shown', async () => {
    await using live = await startConsole();
    for (let number = 1; number <= 101; number += 1) {
      const id = String(number).padStart(3, '0');
      const noticedAt = live.clock.now + number;
      await live.store.addReconciliation(reconciliation({ reconciliationId: `rec-${id}`, noticedAt }));
      if (number === 100)
        expect((await live.ask('/payments', { cookie: await live.logIn() })).text).not.toContain('Only the');
    }
    const cookie = await live.logIn();
    const open = (await live.ask('/payments', { cookie })).text;
    expect(open).toContain('Only the 100 that have waited longest are shown.');
    expect([open.includes('id="payment-rec-001"'), open.includes('id="payment-rec-101"')]).toEqual([
      true,
      false,
    ]);
    const all = (await live.ask('/payments?closed=1', { cookie })).text;
    expect(all).toContain('Only the newest 100 are shown.');
    expect([all.includes('id="payment-rec-001"'), all.includes('id="payment-rec-101"')]).toEqual([
      false,
      true,
    ]);
  });

  it('lists 50 callbacks on a page', async () => {
    await using live = await startConsole();
    const ids = Array.from({ length: 51 }, (_, index) => `cb_${100 + index}`);
    for (const [index, callbackId] of ids.entries())
      await live.store.addCallback(callback({ callbackId, receivedAt: index, outcome: 'failed' }));
    const cookie = await live.logIn();
    const look = (path: string) => live.ask(path, { cookie });
    const all = await follow(look, '/events?outcome=failed', 'callback');
    expect(all).toEqual([ids.toReversed().slice(0, 50), ids.slice(0, 1)]);
  });

  it('links to all stored requests of a sandbox', async () => {
    await using server = await startSandbox();
    for (let count = 0; count < 120; count += 1) {
      const key = count % 2 === 0 ? (server.sandboxKey ?? '') : 'wrong';
      await fetch(`${server.baseUrl}/games`, { headers: { 'X-API-KEY': key } });
    }
    const look = (path: string): Promise<Answer> => ask(server.consoleUrl + path);
    const all = await follow(look, '/sandbox/requests', 'request');
    expect(all.map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(all.flat()).toEqual(Array.from({ length: 120 }, (_, index) => String(120 - index)));
    expect((await follow(look, '/sandbox/requests?only=errors', 'request')).flat()).toHaveLength(60);
  });
});
