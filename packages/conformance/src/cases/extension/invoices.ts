import { responseSchemas } from '@topup-kit/core/schemas';
import {
  expectAbsent,
  expectAt,
  expectError,
  expectStatus,
  expectText,
  expectThat,
  invoiceNotFound,
  nonexistent,
  readAt,
} from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import { valueAt } from '../../json.ts';
import { placeOrder, readInvoice } from '../../orders.ts';
import { reads, type Topic, writes } from '../../probe.ts';

const fields: SpecReference = 'open-points Routes/Invoice-order-live-order_id-games-title';
const gameFields: SpecReference = 'open-points Routes/Invoice-game-Game-without-category-category_id';
const productFields: SpecReference = 'open-points Routes/Invoice-product-id-code-title-brand';
const statusRoute: SpecReference = 'open-points Routes/GET-invoice-order_id-payment-status';
const notFound: SpecReference = 'open-points Errors/invoice-not-found-or-another-account';
const times: SpecReference = 'open-points Identifiers-addresses-and-times/expired_at-is-ISO-8601-with-the';
const mentioned: SpecReference = 'interface 4.3/Invoice-detail-by-orderId-polling-of';
const polling: SpecReference = 'interface 4.2/orderId';

export const invoiceCases: Topic = {
  'an invoice has order, game and product': writes(
    ['open-points Routes/GET-invoice-order_id', fields, gameFields, productFields, mentioned, polling],
    async (probe) => {
      const { order } = await placeOrder(probe);
      await readInvoice(probe, order.order_id);
    },
  ),
  'an invoice shows what was ordered and by whom': writes([fields], async (probe) => {
    const customer = { email: 'customer@example.com', nickname: 'Player One' };
    const sent = { ...customer, promo_code: probe.need('promoCode'), quantity: 2 };
    const { order } = await placeOrder(probe, sent);
    const { response } = await readInvoice(probe, order.order_id);
    const { id, server, whatsapp } = probe.fixture.order;
    const same = {
      ...customer,
      order_id: order.order_id,
      id_games: id,
      server_games: server ?? null,
      whatsapp,
      quantity: 2,
      price: order.pricing.unit_price_after_promo,
      discount_price: order.pricing.unit_price_before_promo,
      promo_discount: order.pricing.promo_discount,
      fee: order.pricing.payment_fee,
      total_price: order.total_price,
      payment_code: order.payment_code,
      payment_url: order.payment_url,
      payment_status: 'UNPAID',
      buy_status: 'Pending',
      pricing: order.pricing,
    };
    for (const [field, value] of Object.entries(same)) expectAt(response, `order.${field}`, value, fields);
  }),
  'an invoice names game, product and method as the checkout does': writes(
    [fields, gameFields, productFields],
    async (probe) => {
      const { game: slug, product_id, payment_method_id } = probe.fixture.order;
      const checkout = await probe.get(`/order/${slug}`);
      const { game, paymentMethods } = readAt(probe, checkout, {
        schema: responseSchemas.getCheckout,
        rows: () => fields,
      });
      const product = game.products.find(({ id }) => id === product_id);
      const method = paymentMethods.find(({ id }) => id === payment_method_id);
      const { response, invoice } = await readInvoice(probe, (await placeOrder(probe)).order.order_id);
      expectAt(response, 'order.games', game.title, fields);
      expectAt(response, 'order.product', product?.title, fields);
      expectAt(response, 'order.code_product', product?.code, fields);
      expectAt(response, 'order.payment_method', method?.code, fields);
      expectAt(response, 'order.payment_name', method?.name, fields);
      for (const field of Object.keys(invoice.game))
        expectAt(response, `game.${field}`, valueAt(game, field), gameFields);
      for (const field of ['id', 'code', 'title', 'brand', 'logo', 'image'])
        expectAt(response, `product.${field}`, valueAt(product, field), productFields);
    },
  ),
  "an invoice's game has no category, category_id and sort": writes([gameFields], async (probe) => {
    const { response } = await readInvoice(probe, (await placeOrder(probe)).order.order_id);
    for (const field of ['category', 'category_id', 'sort'])
      expectAbsent(response, `game.${field}`, gameFields);
  }),
  'an invoice has its times as ISO 8601 with offset and in unix seconds': writes(
    [fields, times],
    async (probe) => {
      const { order } = await placeOrder(probe);
      const { response } = await readInvoice(probe, order.order_id);
      expectText(response, 'order.created_at', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/, fields);
      expectAt(response, 'order.expired_time', Date.parse(order.expired_at) / 1000, times);
    },
  ),
  "an invoice shows the QR of a QR method, and no other's": writes([fields], async (probe) => {
    for (const { id, group } of probe.need('methods')) {
      const { order } = await placeOrder(probe, { payment_method_id: id });
      const { response } = await readInvoice(probe, order.order_id);
      if (group === 'QRIS') {
        expectAt(response, 'order.qr_string', order.payment_code, fields);
        expectAt(response, 'order.qr_image_url', order.qr_url, fields);
      } else
        for (const field of ['qr_string', 'qr_image_url']) expectAbsent(response, `order.${field}`, fields);
    }
  }),
  'payment_code_display is the code, grouped for people': writes([fields], async (probe) => {
    const account = probe.need('methods').find(({ group }) => group === 'Virtual Account');
    const { order } = await placeOrder(probe, { payment_method_id: account?.id });
    const { response, invoice } = await readInvoice(probe, order.order_id);
    const display = invoice.order.payment_code_display;
    const grouped = / /.test(display) && display.replaceAll(' ', '') === order.payment_code;
    const expected = `${order.payment_code} in groups`;
    expectThat(grouped, response, 'order.payment_code_display', expected, fields);
  }),
  'the payment status of a new order is light to poll': writes(
    [statusRoute, mentioned, polling, times],
    async (probe) => {
      const { order } = await placeOrder(probe);
      const response = await probe.get(`/invoice/${order.order_id}/payment-status`);
      expectStatus(response, 200, statusRoute);
      const data = {
        order_id: order.order_id,
        payment_status: 'UNPAID',
        buy_status: 'Pending',
        expired_time: Date.parse(order.expired_at) / 1000,
      };
      expectAt(response, '', { success: true, data }, statusRoute);
    },
  ),
  'an invoice that does not exist is not found': reads([notFound], async ({ get }) => {
    for (const id of [nonexistent.orderId, 'nothing'])
      for (const suffix of ['', '/payment-status'])
        expectError(await get(`/invoice/${id}${suffix}`), invoiceNotFound, notFound);
  }),
};
