import { createTopupClient } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { baseUrl, rejection } from './responses.ts';

const html = { 'Content-Type': 'text/html' };

describe('a successful response without a JSON object', () => {
  it.each([
    ['an empty body', new Response(''), 'EMPTY_BODY'],
    ['no body', new Response(null, { status: 204 }), 'EMPTY_BODY'],
    ['a body that was cut off', new Response('{"success":true,"games":[{"id":1'), 'NOT_JSON'],
    ['HTML', new Response('<!doctype html>', { headers: html }), 'NOT_JSON'],
    ['an array', Response.json([]), 'NOT_AN_OBJECT'],
    ['null', Response.json(null), 'NOT_AN_OBJECT'],
    ['a JSON text', Response.json('abc'), 'NOT_AN_OBJECT'],
  ])('reports %s as an error', async (_case, response, code) => {
    const client = createTopupClient({ baseUrl, fetch: async () => response.clone(), maxRetries: 0 });

    expect(await rejection(client.games.list())).toMatchObject({
      name: 'TopupResponseError',
      code,
      status: response.status,
      operation: 'listGames',
    });
  });

  it('describes request, response and next step', async () => {
    const fetch = async () => new Response('<!doctype html>', { headers: html });

    expect(await rejection(createTopupClient({ baseUrl, fetch }).games.list())).toMatchObject({
      message:
        'GET /api/games returned 200 with a body that is not a JSON object, or was cut off (text/html). ' +
        'Check that baseUrl is the URL of the API.',
      body: '<!doctype html>',
      contentType: 'text/html',
    });
  });

  const json = 'application/json; charset=utf-8';

  it.each([
    ['an empty text of JSON type', '', json, true],
    ['an object of JSON type, cut off', '{"success":tr', json, true],
    ['an object after white space', ' \n{\n"games":[', json, true],
    ['an object without a type, cut off', '{"success":tr', '', false],
    ['an object with the type of a page, cut off', '{"success":tr', 'text/html', false],
    ['an empty text without a type', '', '', false],
    ['a page with the type of JSON', '<!doctype html>', json, false],
    ['a list, cut off', '[{"id":1', json, false],
    ['a list', '[]', json, false],
    ['a word', 'null', json, false],
  ])('decides whether the response may be complete next time: %s', async (_case, text, type, retryable) => {
    const fetch = async () => new Response(text, { headers: { 'Content-Type': type } });
    const client = createTopupClient({ baseUrl, fetch, maxRetries: 0 });

    expect(await rejection(client.games.list())).toMatchObject({ name: 'TopupResponseError', retryable });
  });
});
