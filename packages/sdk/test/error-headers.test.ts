import { spawnSync } from 'node:child_process';
import { inspect } from 'node:util';
import { createTopupClient, type Fetch } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { entries } from './entries.ts';
import { baseUrl, orderRequest, rejection, responding } from './responses.ts';

const sent = { 'X-Served-By': 'a', 'Set-Cookie': 'session=canary' };

describe.each(entries)('the headers of the response, with %s', (_entry, create) => {
  it.each<[string, Fetch, code: string]>([
    ['an error response', responding(404, {}, sent), 'NOT_FOUND'],
    ['an unreadable response', async () => new Response('<p>', { headers: sent }), 'NOT_JSON'],
    [
      'a response that is too large',
      async () => new Response(new Uint8Array(2 ** 24 + 1), { headers: sent }),
      'RESPONSE_TOO_LARGE',
    ],
  ])("adds the response's headers to the error of %s", async (_case, fetch, code) => {
    const error = await rejection(create({ baseUrl, fetch, maxRetries: 0 }).games.list());

    expect(error).toMatchObject({ code, headers: expect.any(Headers) });
    // Safe: the check above ensures it.
    expect((error as { headers: Headers }).headers.get('X-Served-By')).toBe('a');
  });

  it('shows the headers of the last response on the error', async () => {
    let count = 0;
    const fetch: Fetch = async () => {
      count += 1;
      return Response.json({}, { status: 502, headers: { 'X-Served-By': `${count}` } });
    };

    const error = await rejection(create({ baseUrl, fetch, maxRetries: 1 }).games.list());

    expect(error).toMatchObject({ attempts: 2, headers: expect.any(Headers) });
    // Safe: the check above ensures it.
    expect((error as { headers: Headers }).headers.get('X-Served-By')).toBe('2');
  });

  it('shows the headers on the cause of an unknown outcome', async () => {
    const client = create({ baseUrl, fetch: responding(500, {}, sent), maxRetries: 0 });

    expect(await rejection(client.orders.create(orderRequest))).toMatchObject({
      code: 'UNKNOWN_OUTCOME',
      cause: { headers: expect.any(Headers) },
    });
  });

  it("doesn't log the headers", async () => {
    const error = await rejection(create({ baseUrl, fetch: responding(404, {}, sent) }).games.list());

    expect(JSON.stringify(error) + inspect(error)).not.toMatch(/canary|served/i);
  });

  it('has no headers on an error without a response', async () => {
    const fetch: Fetch = () => Promise.reject(new TypeError('fetch failed'));

    expect(await rejection(create({ baseUrl, fetch, maxRetries: 0 }).games.list())).not.toHaveProperty(
      'headers',
    );
  });
});

it('removes the key from a header that contains it', async () => {
  const apiKey = 'tk_live_canary';
  const fetch = responding(401, {}, { 'X-Key': `${apiKey} is wrong`, 'X-Served-By': 'a' });

  const error = await rejection(createTopupClient({ baseUrl, apiKey, fetch }).games.list());

  // Safe: the tests above ensure it.
  const { headers } = error as { headers: Headers };
  expect([headers.get('X-Key'), headers.get('X-Served-By')]).toEqual(['[apiKey] is wrong', 'a']);
});

it('prints neither body nor headers of an uncaught error', () => {
  const program = `
    import { createTopupClient } from '@topup-kit/sdk';
    const secret = ['can', 'ary'].join('');
    const fetch = async () => Response.json({ secret }, { status: 404, headers: { 'Set-Cookie': secret } });
    await createTopupClient({ baseUrl: '${baseUrl}', fetch }).games.list();`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@topup-kit/source', '--input-type=module', '--eval', program],
    { cwd: new URL('..', import.meta.url), encoding: 'utf8' },
  );

  expect(status).toBe(1);
  expect(stderr).toContain("code: 'NOT_FOUND'");
  expect(stderr).not.toContain('canary');
});
