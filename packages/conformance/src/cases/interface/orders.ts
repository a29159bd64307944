import { orderIdPattern, orderSchema, responseSchemas } from '@topup-kit/core/schemas';
import {
  expectAt,
  expectStatus,
  expectText,
  expectThat,
  expectUrl,
  readAt,
  rowsOf,
} from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import { valueAt } from '../../json.ts';
import { placeOrder } from '../../orders.ts';
import { type Topic, writes } from '../../probe.ts';

const created: SpecReference = 'interface 7.2/POST-order-201';
const responseRow = rowsOf('4.2', created);
const orderRow = rowsOf('2.3', 'interface 4.2/data');
const isoWithOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?([+-]\d\d:?\d\d|Z)$/;

export const ordersCases: Topic = {
  'POST /order responds with 201, success, message, orderId and data': writes(
    [
      created,
      'interface 4.2/Method-and-path-POST-base_url-order',
      'interface 4.2/Request-body-JSON',
      'interface 4.2/Success-HTTP-201-with-a-JSON',
      ...Object.keys(responseSchemas.createOrder.shape).map(responseRow),
      'interface 4/For-a-request-with-a-body',
    ],
    async (probe) => {
      const response = await probe.order();
      expectStatus(response, 201, created);
      expectAt(response, 'success', true, 'interface 4.2/success');
      expectText(response, 'message', /\S/, 'interface 4.2/message');
      readAt(probe, response, { schema: responseSchemas.createOrder, rows: responseRow });
    },
  ),
  'an order has the fields of an order, of their types': writes(
    Object.keys(orderSchema.shape).map(orderRow),
    async (probe) => {
      const response = await probe.order();
      expectStatus(response, 201, created);
      readAt(probe, response, { path: 'data', schema: orderSchema, rows: orderRow });
    },
  ),
  'orderId is data.order_id, of the shape INV-<digits>-<8 uppercase letters>': writes(
    ['interface 2.3/order_id', 'interface 4.2/orderId'],
    async (probe) => {
      const { response, order } = await placeOrder(probe);
      expectText(response, 'data.order_id', orderIdPattern, 'interface 2.3/order_id');
      expectAt(response, 'orderId', order.order_id, 'interface 4.2/orderId');
    },
  ),
  'two orders have two ids': writes(['interface 2.3/order_id'], async (probe) => {
    const first = await placeOrder(probe);
    const { response, order } = await placeOrder(probe);
    const fresh = order.order_id !== first.order.order_id;
    expectThat(fresh, response, 'data.order_id', 'an id of its own', 'interface 2.3/order_id');
  }),
  'a new order is UNPAID and Pending': writes(
    [
      'interface 2.3/payment_status',
      'interface 2.3/buy_status',
      'interface 3/A-newly-created-order-has-payment_status',
    ],
    async (probe) => {
      const { response } = await placeOrder(probe);
      expectAt(response, 'data.payment_status', 'UNPAID', 'interface 2.3/payment_status');
      expectAt(response, 'data.buy_status', 'Pending', 'interface 2.3/buy_status');
    },
  ),
  'payment data: a page, a code, a reference, a QR or null, an expiry with its UTC offset': writes(
    [
      'interface 2.3/payment_url',
      'interface 2.3/payment_code',
      'interface 2.3/payment_reference',
      'interface 2.3/qr_url',
      'interface 2.3/expired_at',
    ],
    async (probe) => {
      const response = await probe.order();
      expectStatus(response, 201, created);
      expectUrl(response, 'data.payment_url', 'interface 2.3/payment_url');
      for (const field of ['payment_code', 'payment_reference'])
        expectText(response, `data.${field}`, /\S/, orderRow(field));
      expectText(response, 'data.expired_at', isoWithOffset, 'interface 2.3/expired_at');
      if (valueAt(response.body, 'data.qr_url') !== null)
        expectUrl(response, 'data.qr_url', 'interface 2.3/qr_url');
    },
  ),
  'quantity is 1 when left out': writes(
    ['interface 4.2/quantity', 'interface 8/quantity-defaults-to-1-when-omitted'],
    async (probe) => {
      const { response } = await placeOrder(probe, { quantity: undefined });
      for (const path of ['data.quantity', 'data.pricing.quantity'])
        expectAt(response, path, 1, 'interface 4.2/quantity');
    },
  ),
  'every field of the request is taken': writes(
    ['id', 'server', 'game', 'product_id', 'payment_method_id', 'email', 'messenger_number']
      .concat(['nickname', 'promo_code', 'quantity'])
      .map(responseRow),
    async (probe) => {
      const { response } = await placeOrder(probe, {
        email: 'customer@example.com',
        nickname: 'Player One',
        promo_code: probe.need('promoCode'),
        quantity: 2,
      });
      expectAt(response, 'data.quantity', 2, 'interface 2.3/quantity');
      expectAt(response, 'data.pricing.promo_code', probe.fixture.promoCode, 'interface 4.2/promo_code');
    },
  ),
};
