import { createTopupClient } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { baseUrl, rejection } from './answers.ts';

const html = { 'Content-Type': 'text/html' };

describe('a successful answer without the JSON object promised', () => {
  it.each([
    ['an empty body', new Response(''), 'EMPTY_BODY'],
    ['no body', new Response(null, { status: 204 }), 'EMPTY_BODY'],
    ['a body that was cut off', new Response('{"success":true,"games":[{"id":1'), 'NOT_JSON'],
    ['HTML', new Response('<!doctype html>', { headers: html }), 'NOT_JSON'],
    ['an array', Response.json([]), 'NOT_AN_OBJECT'],
    ['null', Response.json(null), 'NOT_AN_OBJECT'],
  ])('%s', async (_case, response, code) => {
    const client = createTopupClient({ baseUrl, fetch: async () => response });

    expect(await rejection(client.games.list())).toMatchObject({
      name: 'TopupResponseError',
      code,
      status: response.status,
      operation: 'listGames',
    });
  });

  it('says what came from where, and what to do', async () => {
    const fetch = async () => new Response('<!doctype html>', { headers: html });

    expect(await rejection(createTopupClient({ baseUrl, fetch }).games.list())).toMatchObject({
      message:
        'GET /api/games answered 200 with a body that is not JSON, or was cut off (text/html). ' +
        "Check that baseUrl is the API's. Nothing was changed, so it is safe to call again.",
      body: '<!doctype html>',
      contentType: 'text/html',
    });
  });
});
