import { fireEvent, render, screen } from '@testing-library/react-native';
import { createMockService } from '@topup-kit/mock/in-process';
import { createTopupClient } from '@topup-kit/sdk/light';
import { Shop } from './shop.js';

const mock = createMockService({ baseUrl: 'https://shop.example/api/topup', auth: 'off' });
const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
};

beforeEach(() => {
  mock.reset();
  globalThis.fetch = mock.fetch;
});

test('the screen shows an order until its delivery', async () => {
  await render(<Shop order={order} />);
  await fireEvent.press(screen.getByText('Buy'));
  await screen.findByText('Waiting for your payment');

  await mock.orders.pay(screen.getByTestId('order').props.children);
  await mock.clock.advance('2s');

  await fireEvent.press(screen.getByText('Refresh'));
  await screen.findByText('PAID Sukses');
});

test('the screen shows the message from the service', async () => {
  await render(<Shop order={{ ...order, promo_code: 'NOPE' }} />);

  await fireEvent.press(screen.getByText('Buy'));

  await screen.findByText(/Kode promo tidak ditemukan/);
});

test("an app can have no API key, because everybody can read the app's code", () => {
  expect(() => createTopupClient({ baseUrl: mock.baseUrl, apiKey: 'tk_live_1' })).toThrow(
    expect.objectContaining({ code: 'API_KEY_IN_BROWSER' }),
  );
});
