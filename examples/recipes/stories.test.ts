// @vitest-environment jsdom
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { mock } from './storybook/src/mock.ts';

// This is the short form of test/journeys/storybook.long.test.ts, which installs Storybook and opens each story in it.

/** Parts of a story that Storybook uses. */
interface Story {
  loaders?: (() => Promise<{ orderId: string }>)[];
  beforeEach?: () => () => void;
  parameters?: { msw?: ReturnType<(typeof mock)['override']>[] };
}

/** Final text of each story, in the order in which the stories are listed. */
const stories = {
  Unpaid: 'Waiting for your payment',
  Paid: 'Delivered',
  Processing: 'Paid, on its way',
  Delivered: 'Delivered',
  PartlyFailed: 'A part could not be delivered',
  Failed: 'It could not be delivered',
  PaymentFailed: 'The payment failed',
  Expired: 'Expired',
  Refunded: 'Refunded: Rp 22.000',
  Maintenance: 'Layanan sedang tidak tersedia.',
  UnknownOrder: 'Invoice tidak ditemukan.',
};

/** Paths are not literals, because the recipe is a separate project with types that this project doesn't have. */
const files = ['mock.ts', 'order-status.tsx', 'order-status.stories.tsx'].map(
  (name) => `./storybook/src/${name}`,
);
const [{ mock: service }, { OrderStatus }, { default: _meta, ...found }] = await Promise.all(
  files.map((file) => import(/* @vite-ignore */ file)),
);
const server = await service.server();

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

it('lists every story of the recipe', () => {
  expect(Object.keys(found).toSorted()).toEqual(Object.keys(stories).toSorted());
});

it.each(Object.entries(stories))('shows in the story %s "%s"', async (name, said) => {
  const { loaders = [], beforeEach, parameters }: Story = found[name];
  const leave = beforeEach?.();
  server.use(...(parameters?.msw ?? []));
  const [loaded] = await Promise.all(loaders.map((load) => load()));
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  root.render(createElement(OrderStatus, loaded));
  await expect
    .poll(() => place.querySelector('[role=status], [role=alert]')?.textContent, { timeout: 10_000 })
    .toBe(said);
  root.unmount();
  leave?.();
});
