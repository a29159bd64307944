// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { createMockService } from '@topup-kit/mock/in-process';
import { createTopupClient } from '@topup-kit/sdk';
import { createElement, type PropsWithChildren } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { Topup, useGames, useOrder, usePlaceOrder } from './hooks.ts';

const mock = createMockService();
const { baseUrl, apiKey, fetch } = mock;
const client = createTopupClient({ baseUrl, apiKey, fetch });
beforeEach(() => mock.reset());

function render<Result>(hook: () => Result) {
  const queries = new QueryClient();
  const wrapper = ({ children }: PropsWithChildren) =>
    createElement(
      QueryClientProvider,
      { client: queries },
      createElement(Topup, { value: client }, children),
    );
  return renderHook(hook, { wrapper }).result;
}

const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
};

it('lists the games', async () => {
  const hook = render(useGames);

  await waitFor(() => expect(hook.current.data?.[0]?.title).toBe('Mobile Legends: Bang Bang'));
});

it('shows each state of an order, and stops when it is delivered', async () => {
  const { orderId } = await client.orders.create(order);
  const hook = render(() => useOrder(orderId));
  await waitFor(() => expect(hook.current.data).toMatchObject({ payment_status: 'UNPAID' }));
  expect(hook.current.isFetching).toBe(true);

  await mock.orders.pay(orderId);
  await mock.orders.deliver(orderId);

  await waitFor(() => expect(hook.current.isFetching).toBe(false), { timeout: 5000 });
  expect(hook.current.data).toMatchObject({ payment_status: 'PAID', buy_status: 'Sukses' });
});

it('places one order although the first response was lost and the customer clicks again', async () => {
  // The service places the order, and the connection is cut before its response, in each of the client's three attempts.
  mock.faults.add({ operation: 'createOrder', connection: 'cut-after', times: 3 });
  const hook = render(usePlaceOrder);
  act(() => hook.current.mutate(order));
  await waitFor(() => expect(hook.current.error).toMatchObject({ code: 'UNKNOWN_OUTCOME' }), {
    timeout: 10_000,
  });

  act(() => hook.current.mutate(order));

  await waitFor(() => expect(hook.current.isSuccess).toBe(true));
  expect([...(await client.orders.list())].length).toBe(1);
}, 15_000);

it("shows the service's message", async () => {
  const hook = render(usePlaceOrder);

  act(() => hook.current.mutate({ ...order, promo_code: 'NOPE' }));

  await waitFor(() => expect(hook.current.error?.message).toContain('Kode promo tidak ditemukan.'));
});
