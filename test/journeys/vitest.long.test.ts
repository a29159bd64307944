import { expect, it } from 'vitest';
import { beginJourney, journeyOptions } from './helpers/journey.ts';
import { order } from './helpers/order.ts';

it.each(['jsdom', 'happy-dom'])(
  'tests a page with the mock behind its fetch in Vitest with %s',
  journeyOptions,
  async (environment) => {
    await using journey = await beginJourney(
      `Frontend developer, Vitest with ${environment}`,
      ['sdk', 'mock'],
      { newerNodeFor: 'vitest' },
    );

    await journey.type(
      `npm install vitest ${environment} msw ../packed/topup-kit-sdk.tgz ../packed/topup-kit-mock.tgz`,
    );
    await journey.write({
      'shop.test.js': `
      import { createTopupMock } from '@topup-kit/mock';
      import { createTopupClient } from '@topup-kit/sdk';
      import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

      const mock = createTopupMock({ baseUrl: '/api', auth: 'off' });
      const client = createTopupClient({ baseUrl: '/api' });
      const server = await mock.server();
      beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
      beforeEach(() => mock.reset());
      afterAll(() => server.close());

      test('the page lists the games', async () => {
        const { games } = await client.games.list();
        document.body.innerHTML = games.map(({ title }) => '<li>' + title + '</li>').join('');
        expect(document.querySelector('li').textContent).toBe('Mobile Legends: Bang Bang');
      });

      test('pays an order', async () => {
        const { orderId } = await client.orders.create(${order});
        await mock.orders.pay(orderId);
        const { order } = await client.invoices.get(orderId);
        expect(order.payment_status).toBe('PAID');
      });

      test('shows why an order is rejected', async () => {
        const { error } = await client.orders.create({ ...${order}, whatsapp: '123' }).safe();
        document.body.textContent = error.code + ' ' + Object.keys(error.fields);
        expect(document.body.textContent).toBe('VALIDATION_ERROR whatsapp');
      });`,
    });

    const printed = await journey.type(`npx vitest run --environment=${environment}`);
    expect(printed).toMatch(/Tests +3 passed/);
    await journey.succeed();
  },
);

it('keeps the MSW 2 of an existing project', journeyOptions, async () => {
  await using journey = await beginJourney('Frontend developer, Vitest with MSW 2', ['mock'], {
    newerNodeFor: 'vitest',
  });

  await journey.type('npm install vitest msw@2 ../packed/topup-kit-mock.tgz');
  await journey.write({
    'shop.test.js': `
      import { createTopupMock } from '@topup-kit/mock';
      import { setupServer } from 'msw/node';
      import { afterAll, beforeAll, expect, test } from 'vitest';

      const mock = createTopupMock({ baseUrl: 'https://shop.test/api', auth: 'off' });
      const server = setupServer(...mock.handlers);
      beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
      afterAll(() => server.close());

      test('places an order', async () => {
        const response = await fetch('https://shop.test/api/order', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(${order}),
        });
        expect(response.status).toBe(201);
      });

      test('replaces one response', async () => {
        server.use(mock.override('listGames', { code: 'SERVER_ERROR' }));
        const response = await fetch('https://shop.test/api/games');
        expect(response.status).toBe(500);
      });`,
  });

  const printed = await journey.type('npx vitest run');
  expect(printed).toMatch(/Tests +2 passed/);
  await journey.succeed();
  expect(JSON.parse(await journey.type('npm ls msw --json')).dependencies.msw.version).toMatch(/^2\./);
});
