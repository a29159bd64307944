import { expect, it } from 'vitest';
import { sandboxKey } from '../../core/src/contract/index.ts';
import { createTestService } from '../../core/test/helpers/test-service.ts';
import {
  type ConformanceResult,
  type ConformanceTarget,
  conformanceCases,
  describeService,
  runCase,
} from '../src/index.ts';

interface SentRequest {
  url: string;
  key: string | null;
}

/** A service whose responses for a path are changed, and the requests that it got. */
async function changedService(
  path: string,
  change: (text: string) => Response,
): Promise<ConformanceTarget & { sent: SentRequest[] }> {
  const { app } = await createTestService();
  const sent: SentRequest[] = [];
  return {
    sent,
    baseUrl: 'http://localhost/api',
    apiKey: sandboxKey,
    async fetch(url, init) {
      sent.push({ url, key: new Headers(init?.headers).get('X-API-KEY') });
      if (new URL(url).host !== 'localhost')
        return new Response('', { headers: { 'Content-Type': 'image/png' } });
      const response = await app.fetch(new Request(url, init));
      return url.endsWith(path) && response.ok ? change(await response.text()) : response;
    },
  };
}

it('reports a page instead of JSON as a single difference in the type', async () => {
  const page = (): Response => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } });
  const { differences } = await describeService(await changedService('/games/mobile-legends', page), {
    only: () => false,
  });
  expect(differences).toEqual([
    {
      origin: 'extension',
      request: 'GET /games/{slug}',
      at: '$',
      kind: 'type',
      expected: 'object',
      received: 'no JSON',
    },
  ]);
});

async function runWith(name: string, field: string, address: string) {
  const target = await changedService('/order', (text) => {
    const body = JSON.parse(text);
    return Response.json({ ...body, data: { ...body.data, [field]: address } }, { status: 201 });
  });
  const one = conformanceCases.find((each) => each.name.endsWith(name)) ?? expect.fail();
  const result: ConformanceResult = await runCase(one, target);
  return { result, sent: target.sent };
}

it.each([
  ['the payment page opens without a key, and shows no phone and no e-mail', 'payment_url'],
  ['the QR of an order opens without a key', 'qr_url'],
])("doesn't test another host that %s", async (name, field) => {
  const { result, sent } = await runWith(name, field, 'https://gateway.example/1');
  expect(result).toMatchObject({ outcome: 'skipped', reason: 'https://gateway.example is not the service' });
  expect(sent.filter(({ url }) => url.startsWith('https://gateway.example'))).toEqual([]);
});

it('sends no key to a URL that it finds in a response', async () => {
  const address = 'http://localhost/pay/1/qr.svg';
  const { sent } = await runWith('the QR of an order opens without a key', 'qr_url', address);
  expect(sent.filter(({ url }) => url === address)).toEqual([{ url: address, key: null }]);
});
