import type { Meta, StoryObj } from '@storybook/react-vite';
import { mock, placeOrder } from './mock.ts';
import { OrderStatus } from './order-status.tsx';

const meta: Meta = {
  title: 'Order status',
  render: (_args, { loaded }) => <OrderStatus orderId={loaded.orderId} />,
};
export default meta;

/** Creates a story with its own order, so that stories don't disturb each other. */
const storyOf = (...order: Parameters<typeof placeOrder>): StoryObj => ({
  loaders: [async () => ({ orderId: await placeOrder(...order) })],
});

export const Unpaid = storyOf('UNPAID / Pending');

/** Story of an order that is delivered after two seconds, while you look at it. */
export const Paid = storyOf('PAID / Proses');

/** Story of an order for a player for whom the supplier never has an outcome. */
export const Processing = storyOf('PAID / Proses', { id: '900000006' });

export const Delivered = storyOf('PAID / Sukses');

/** Story of an order for a player for whom every second item fails. */
export const PartlyFailed: StoryObj = {
  loaders: [
    async () => {
      const orderId = await placeOrder('PAID / Proses', { id: '900000002', quantity: 2 });
      await mock.clock.advance('2s');
      return { orderId };
    },
  ],
};

export const Failed = storyOf('PAID / Gagal');

export const PaymentFailed = storyOf('FAILED / Batal');

export const Expired = storyOf('EXPIRED / Batal');

export const Refunded = storyOf('REFUND / Gagal');

/** Story with a scenario, which applies to all requests until the story is left. */
export const Maintenance: StoryObj = {
  ...storyOf('UNPAID / Pending'),
  beforeEach() {
    mock.scenarios.use('maintenance');
    return () => mock.scenarios.clear();
  },
};

export const UnknownOrder: StoryObj = {
  ...storyOf('UNPAID / Pending'),
  parameters: { msw: [mock.override('getInvoice', { code: 'INVOICE_NOT_FOUND' })] },
};
