import type * as Wire from '../../types.ts';
import { catalogDescriptions } from './catalog.ts';
import { describing } from './described.ts';

const success = 'always true';
const unixExpiry = 'until when it can be paid, in unix seconds';

const { category_id: _category, sort: _sort, ...gameFields } = catalogDescriptions.Game.fields;

export const invoiceDescriptions = {
  InvoiceOrder: describing<Wire.InvoiceOrder>()('live', 'The order as its invoice shows it.', {
    order_id: 'invoice identifier',
    games: 'title of the game',
    product: 'title of the product',
    code_product: 'code of the product',
    id_games: 'user ID or game ID of the target account',
    server_games: 'server ID of the target account, or null',
    nickname: 'in-game nickname as it was sent, or null',
    email: "orderer's e-mail address, or null",
    whatsapp: "orderer's phone number",
    quantity: 'ordered quantity',
    price: 'unit price after the promo',
    discount_price: 'unit price before the promo (the field is named exactly so)',
    promo_discount: 'what the promo takes off in all',
    fee: 'fee of the payment method',
    total_price: 'total amount to pay',
    payment_name: 'name of the payment method',
    payment_method: 'code of the payment method',
    payment_code: 'what to pay to: an EMV QR string, an account number or a shop code',
    payment_code_display: 'the payment code grouped for people',
    payment_url: 'URL of the payment page',
    qr_string: 'what the QR picture says; present for QR methods',
    qr_image_url: 'absolute URL of the QR picture; present for QR methods',
    expired_time: unixExpiry,
    payment_status: 'state of the payment',
    buy_status: 'state of the delivery',
    serial_number: "the supplier's proof of delivery; present once delivered",
    created_at: 'when the order was created: ISO 8601 with UTC offset',
    pricing: ['how the total comes about', 'interface 2.4'],
  }),
  InvoiceGame: describing<Wire.InvoiceGame>()('live', 'The game as an invoice shows it.', gameFields),
  InvoiceProduct: describing<Wire.InvoiceProduct>()('live', 'The product as an invoice shows it.', {
    id: 'product identifier',
    code: "the shop's code for it",
    title: 'display name',
    brand: 'brand of the game',
    logo: "absolute URL of the game's image",
    game_image: "absolute URL of the game's image",
    image: "absolute URL of the product's image",
  }),
  InvoiceAnswer: describing<Wire.InvoiceAnswer>()('live', 'The invoice of an order.', {
    success,
    order: 'the order',
    game: 'its game',
    product: 'its product',
  }),
  PaymentState: describing<Wire.PaymentState>()('live', 'The light state of an order, made to be polled.', {
    order_id: 'invoice identifier',
    payment_status: 'state of the payment',
    buy_status: 'state of the delivery',
    expired_time: unixExpiry,
  }),
  PaymentStatusAnswer: describing<Wire.PaymentStatusAnswer>()('live', 'The state of an order.', {
    success,
    data: 'the state',
  }),
};
