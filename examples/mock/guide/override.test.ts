import { createTopupMock } from '@topup-kit/mock';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

const mock = createTopupMock({ baseUrl: 'https://shop.test/api' });
const server = await mock.server();
// The option has one name in MSW 3, and the other in MSW 2, which npm installs on Node 20.
const strict = { onUnhandledFrame: 'error', onUnhandledRequest: 'error' } as const;
beforeAll(() => server.listen(strict));
afterEach(() => {
  server.resetHandlers();
  mock.reset();
});
afterAll(() => server.close());

const read = (path: string): Promise<Response> =>
  fetch(mock.baseUrl + path, { headers: { 'X-API-KEY': mock.apiKey } });

it('responds with an error that the service defines', async () => {
  server.use(mock.override('getInvoice', { status: 404, code: 'INVOICE_NOT_FOUND' }));
  const response = await read('/invoice/INV-1');
  expect(await response.json()).toEqual({ success: false, message: 'Invoice tidak ditemukan.' });
});

it('responds with a body that the contract allows', async () => {
  server.use(mock.override('listGames', { success: true, games: [], populerGames: [] }));
  expect(await (await read('/games')).json()).toMatchObject({ games: [] });
});

it('rejects a body that the contract does not allow', () => {
  // @ts-expect-error -- the compiler rejects it, too
  expect(() => mock.override('listGames', { success: true, games: [] })).toThrow('$.populerGames');
});

it('allows any other override with MSW itself', async () => {
  server.use(http.get(`${mock.baseUrl}/games`, () => new HttpResponse('<h1>Oops</h1>', { status: 502 })));
  expect((await read('/games')).status).toBe(502);
});
