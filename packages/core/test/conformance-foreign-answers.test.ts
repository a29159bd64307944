import { expect, it } from 'vitest';
import {
  type ConformanceResult,
  conformanceCases,
  describeService,
  runCase,
  type Target,
} from '../src/conformance/index.ts';
import { sandboxKey } from '../src/engine/index.ts';
import { createTestService } from './helpers/test-service.ts';

interface Asked {
  url: string;
  key: string | null;
}

/** A service whose answers to a path are changed, and what it was asked. */
async function spoilt(path: string, spoil: (text: string) => Response): Promise<Target & { asked: Asked[] }> {
  const { app } = await createTestService();
  const asked: Asked[] = [];
  return {
    asked,
    baseUrl: 'http://localhost/api',
    apiKey: sandboxKey,
    async fetch(url, init) {
      asked.push({ url, key: new Headers(init?.headers).get('X-API-KEY') });
      if (new URL(url).host !== 'localhost')
        return new Response('', { headers: { 'Content-Type': 'image/png' } });
      const response = await app.fetch(new Request(url, init));
      return url.endsWith(path) && response.ok ? spoil(await response.text()) : response;
    },
  };
}

it('tells a page in place of JSON as one difference of type', async () => {
  const page = (): Response => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } });
  const { differences } = await describeService(await spoilt('/games/mobile-legends', page), {
    only: () => false,
  });
  expect(differences).toEqual([
    {
      origin: 'extension',
      request: 'GET /games/{slug}',
      at: '$',
      kind: 'type',
      expected: 'object',
      came: 'no JSON',
    },
  ]);
});

async function runWith(name: string, field: string, address: string) {
  const target = await spoilt('/order', (text) => {
    const answer = JSON.parse(text);
    return Response.json({ ...answer, data: { ...answer.data, [field]: address } }, { status: 201 });
  });
  const one = conformanceCases.find((each) => each.name.endsWith(name)) ?? expect.fail();
  const result: ConformanceResult = await runCase(one, target);
  return { result, asked: target.asked };
}

it.each([
  ['the payment page opens without a key, and shows no phone and no e-mail', 'payment_url'],
  ['the QR of an order opens without a key', 'qr_url'],
])('does not try on another host that %s', async (name, field) => {
  const { result, asked } = await runWith(name, field, 'https://gateway.example/1');
  expect(result).toMatchObject({ outcome: 'skipped', reason: 'https://gateway.example is not the service' });
  expect(asked.filter(({ url }) => url.startsWith('https://gateway.example'))).toEqual([]);
});

it('sends no key to an address that an answer names', async () => {
  const address = 'http://localhost/pay/1/qr.svg';
  const { asked } = await runWith('the QR of an order opens without a key', 'qr_url', address);
  expect(asked.filter(({ url }) => url === address)).toEqual([{ url: address, key: null }]);
});
