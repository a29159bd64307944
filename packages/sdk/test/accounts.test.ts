import { createTopupClient } from '@topup-kit/sdk';
import { expect, it } from 'vitest';
import { baseUrl, recording, rejection, responding } from './responses.ts';

const request = { game: 'mobile-legends', id: '12345678', server: '2012' };
const data = { ...request, status: 'found', nickname: 'Rani' };

it('posts an account check without an idempotency key, and returns the result', async () => {
  const { fetch, requests } = recording();
  await createTopupClient({ baseUrl, fetch }).accounts.check(request);
  const [sent] = requests;
  expect([sent?.method, sent?.url]).toEqual(['POST', 'http://shop.test/api/account/check']);
  expect(sent?.headers.has('Idempotency-Key')).toBe(false);
  expect(await sent?.json()).toEqual(request);

  const body = { success: true, data };
  const client = createTopupClient({ baseUrl, fetch: responding(200, body), validation: 'strict' });
  expect(await client.accounts.check(request)).toEqual(body);
});

it('rejects an account check with a 404 if the service lacks the route', async () => {
  const client = createTopupClient({ baseUrl, fetch: responding(404, { message: 'Not Found' }) });
  expect(await rejection(client.accounts.check(request))).toMatchObject({
    name: 'TopupHttpError',
    status: 404,
  });
});
