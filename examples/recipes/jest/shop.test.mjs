import { HttpResponse, http } from 'msw';
import { mock, server } from './mock.mjs';
import { buy, isPaid } from './shop.mjs';

const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
  quantity: 2,
};

it('places an order and reads its payment status', async () => {
  const { orderId, total } = await buy(order);
  expect(total).toBe(44_000);
  expect(await isPaid(orderId)).toBe(false);

  await mock.orders.pay(orderId);

  expect(await isPaid(orderId)).toBe(true);
});

it("shows the service's own message for a bad promo code", async () => {
  await expect(buy({ ...order, promo_code: 'NOPE' })).rejects.toThrow('Kode promo tidak ditemukan.');
});

it('fails when the service fails', async () => {
  server.use(
    http.post(`${mock.baseUrl}/order`, () => HttpResponse.json({ message: 'Down' }, { status: 503 })),
  );

  await expect(buy(order)).rejects.toThrow('Down');
});
