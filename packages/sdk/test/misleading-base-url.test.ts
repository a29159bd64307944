import { createTopupClient } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { rejection, responding } from './responses.ts';

const noRoute = responding(404, {
  success: false,
  message: 'Alamat tidak ditemukan.',
  error_code: 'ROUTE_NOT_FOUND',
  errors: {},
});
const listed = (baseUrl: string, fetch = noRoute) =>
  rejection(createTopupClient({ baseUrl, fetch }).games.list());

describe('a 404 of a route', () => {
  it('names the URL in a 404 and suggests a path if baseUrl has none', async () => {
    expect(await listed('http://127.0.0.1:4000')).toMatchObject({
      code: 'ROUTE_NOT_FOUND',
      message: expect.stringMatching(
        /http:\/\/127\.0\.0\.1:4000\/games.*Check baseUrl.*no path.*http:\/\/127\.0\.0\.1:4000\/api\b/,
      ),
    });
  });

  it('names the URL in a 404 for another path', async () => {
    expect(await listed('http://127.0.0.1:4000/v2')).toMatchObject({
      message: expect.stringMatching(/http:\/\/127\.0\.0\.1:4000\/v2\/games\. Check baseUrl\.$/),
    });
  });

  it("suggests a path even for another server's 404", async () => {
    const express = async () => new Response('Cannot GET /games', { status: 404 });

    expect(await listed('http://127.0.0.1:3000', express)).toMatchObject({
      message: expect.stringContaining('http://127.0.0.1:3000/api'),
    });
  });

  it("doesn't mention baseUrl in the 404 of a missing order or game", async () => {
    const unknown = responding(404, { success: false, message: 'Game tidak ditemukan.' });

    const game = createTopupClient({ baseUrl: 'http://127.0.0.1:4000', fetch: unknown }).games.get('x');

    expect(await rejection(game)).toMatchObject({ message: expect.not.stringContaining('baseUrl') });
  });

  it('explains the 404 of the list of games by baseUrl', async () => {
    const noGame = responding(404, {
      success: false,
      message: 'Game tidak ditemukan.',
      error_code: 'GAME_NOT_FOUND',
    });

    expect(await listed('http://127.0.0.1:4000/api/games', noGame)).toMatchObject({
      message: expect.stringContaining('http://127.0.0.1:4000/api/games/games. Check baseUrl.'),
    });
  });

  it('explains the 404 of a custom path by that path', async () => {
    const client = createTopupClient({ baseUrl: 'http://127.0.0.1:4000/api', fetch: noRoute });

    expect(await rejection(client.request('GET', '/nope'))).toMatchObject({
      message: expect.stringContaining('Nothing is at http://127.0.0.1:4000/api/nope. Check the path.'),
    });
  });
});

it('suggests a path for a page instead of JSON, if baseUrl has none', async () => {
  const page = async () => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } });

  expect(await listed('http://127.0.0.1:5173', page)).toMatchObject({
    code: 'NOT_JSON',
    message: expect.stringContaining('such as /api'),
  });
});
