import { createTopupMock, type OrderStateName } from '@topup-kit/mock';

/** The whole service, which runs in Storybook's tab. */
export const mock = createTopupMock({ baseUrl: '/api', auth: 'off' });

const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
};

/** Places an order and brings it to a state. Returns its id. */
export async function placeOrder(
  state: OrderStateName,
  changes: Partial<typeof order> & { quantity?: number } = {},
) {
  const { order_id } = await mock.orders.create({ ...order, ...changes }, state);
  return order_id;
}
