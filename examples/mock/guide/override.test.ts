import { createTopupMock } from '@topup-kit/mock';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

const mock = createTopupMock({ baseUrl: 'https://shop.test/api' });
const server = await mock.server();
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => {
  server.resetHandlers();
  mock.reset();
});
afterAll(() => server.close());

const read = (path: string): Promise<Response> =>
  fetch(mock.baseUrl + path, { headers: { 'X-API-KEY': mock.apiKey } });

it('answers an error as the service writes it', async () => {
  server.use(mock.override('getInvoice', { status: 404, code: 'INVOICE_NOT_FOUND' }));
  const answer = await read('/invoice/INV-1');
  expect(await answer.json()).toEqual({ success: false, message: 'Invoice tidak ditemukan.' });
});

it('answers a body, held to the contract', async () => {
  server.use(mock.override('listGames', { success: true, games: [], populerGames: [] }));
  expect(await (await read('/games')).json()).toMatchObject({ games: [] });
});

it('refuses what no service of this interface would answer', () => {
  // @ts-expect-error -- the compiler refuses it too
  expect(() => mock.override('listGames', { success: true, games: [] })).toThrow('$.populerGames');
});

it('leaves everything else to MSW', async () => {
  server.use(http.get(`${mock.baseUrl}/games`, () => new HttpResponse('<h1>Oops</h1>', { status: 502 })));
  expect((await read('/games')).status).toBe(502);
});
