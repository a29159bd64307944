import { HttpHandler } from 'msw-2';
import { setupServer } from 'msw-2/node';
import { expect, it } from 'vitest';
import { createTopupMock } from '../src/index.ts';
import { shopOf } from './helpers/shop.ts';

// In the project "msw 2" of the Vitest configuration, the mock's own msw is MSW 2.

it('creates handlers of MSW 2', async () => {
  const mock = createTopupMock({ baseUrl: 'https://shop.test/api' });
  expect(mock.handlers.every((handler: unknown) => handler instanceof HttpHandler)).toBe(true);
  // @ts-expect-error The types of this repository are those of MSW 3.
  const server = setupServer(...mock.handlers);
  server.listen({ onUnhandledRequest: 'error' });
  await shopOf(mock, (url, init) => fetch(url, init)).order();
  server.close();
  expect(mock.requests).toMatchObject([{ operation: 'createOrder', status: 201 }]);
});
