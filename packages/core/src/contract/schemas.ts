import * as z from 'zod/mini';
import { event } from './event-object.ts';
import { orderEventTypes } from './event-types.ts';
import { field, fieldsFrom, object, values } from './schema-docs.ts';

/** Kinds of payment. `payment-kinds.ts` has all properties that depend on them. */
const paymentGroup = values(
  'PaymentGroup',
  'paymentGroups',
  "Kind of a payment method: `QRIS` (Indonesia's QR code), `Virtual Account`, `Retail` (cash at a shop), `E-Wallet` or `Bank Transfer`.",
  ['QRIS', 'Virtual Account', 'Retail', 'E-Wallet', 'Bank Transfer'],
);
const targetFieldName = values(
  'TargetFieldName',
  'targetFieldNames',
  'A field of an order that identifies the account to top up: `id` (user ID or game ID) or `server`.',
  ['id', 'server'],
);
const paymentMethodType = values(
  'PaymentMethodType',
  'paymentMethodTypes',
  'How a customer pays: `direct` with a code that the shop shows, `redirect` on another page.',
  ['direct', 'redirect'],
);
export const paymentStatus = values(
  'PaymentStatus',
  'paymentStatuses',
  'State of the payment: `UNPAID` (waiting for the payment), `PAID`, `EXPIRED` (not paid in time), `FAILED` (the payment gateway reports a failure), `REFUND` (paid back to the customer). `UNPAID` comes from the interface, the others from the documentation of the live services.',
  ['UNPAID', 'PAID', 'EXPIRED', 'FAILED', 'REFUND'],
);
export const buyStatus = values(
  'BuyStatus',
  'buyStatuses',
  'State of the delivery, in Indonesian as on the wire: `Pending` (waiting for the payment), `Proses` (paid, in delivery), `Sukses` (delivered), `Gagal` (the delivery failed: at least one unit was not delivered), `Batal` (cancelled: the order was not paid). `Pending` comes from the interface, the others from the documentation of the live services.',
  ['Pending', 'Proses', 'Sukses', 'Gagal', 'Batal'],
);
const failureReason = values(
  'FailureReason',
  'failureReasons',
  'Why a delivery failed, as far as the customer may know (ours): `account_not_found` (no such account to top up: check the id and the server), `region_mismatch` (the product is for accounts of another region), `product_unavailable` (closed, or out of stock at the supplier), `supplier_failed` (anything else).',
  ['account_not_found', 'region_mismatch', 'product_unavailable', 'supplier_failed'],
);
const discountType = values(
  'DiscountType',
  'discountTypes',
  'How a promo code lowers the price of a unit: `PERCENT` (by a percentage) or `FIXED` (by an amount).',
  ['PERCENT', 'FIXED'],
);

const accountStatus = values(
  'AccountStatus',
  'accountStatuses',
  "Result of the check of an account to top up (ours): `found`, `not_found` (certainly no such account), `unsupported` (this game's players can't be looked up), `unavailable` (the lookup failed: try again later, or order without it).",
  ['found', 'not_found', 'unsupported', 'unavailable'],
);

/** Money is an integer in the smallest unit (interface 2.4). */
export const amount: z.ZodMiniNumberFormat = z.int();
const fieldErrors = z.record(z.string(), z.array(z.string()));
const success = field(z.literal(true), 'Always true; errors have another body.');
const failure = field(z.literal(false), 'Always false.');
const message = field(z.string(), 'Text for people, in the language of the service; never parse it.');

export const categorySchema = object('Category', 'interface 2.2', 'A game category.', {
  id: field(z.int(), 'Id of the category; `category_id` of its games.'),
  title: field(z.string(), 'Display name, such as `MOBA`.'),
});

const gameFields = fieldsFrom('interface 2.1', {
  id: field(z.int(), 'Id of the game.'),
  image: field(z.string(), "Absolute URL of the game's image."),
  banner: field(z.string(), 'Absolute URL of the banner image.'),
  title: field(z.string(), 'Display name.'),
  developers: field(z.string(), 'Name of the developer.'),
  brand: field(z.string(), 'Brand or short label.'),
  category_id: field(z.int(), "Id of the game's category."),
  slug: field(z.string(), 'The unique text key of the game; the value for the `game` field of an order.'),
  description: field(z.string(), 'Description for customers.'),
  status: field(z.boolean(), 'Whether the game can be ordered; a closed game (false) can only be read.'),
  populer: field(z.boolean(), 'Whether the game is popular (the interface spells the name this way).'),
  sort: field(z.int(), 'Position in the list: the lowest comes first.'),
});

export const gameSchema = object('Game', 'interface 2.1', 'A game as `populerGames` lists it.', gameFields);

const gameWithCategoryFields = fieldsFrom('interface 2.1', {
  ...gameFields,
  category: field(categorySchema, "The game's category."),
});

export const gameWithCategorySchema = object(
  'GameWithCategory',
  'interface 2.1',
  'A game as `games` lists it.',
  gameWithCategoryFields,
);

const productSchema = object(
  'Product',
  'live',
  'A product that can be bought for a game. Money is in the smallest unit: integer rupiah.',
  {
    id: field(z.int(), 'Id of the product; the value for the `product_id` field of an order.'),
    game_id: field(z.int(), 'Id of the only game that the product is for.'),
    code: field(z.string(), "The shop's code of the product, such as `ML86`."),
    title: field(z.string(), 'Display name, such as `86 Diamond`.'),
    brand: field(z.string(), 'Brand or short label.'),
    logo: field(z.string(), "Absolute URL of the brand's logo."),
    image: field(z.string(), "Absolute URL of the product's image."),
    selling_price: field(amount, 'Price of one unit without a promotion, in integer rupiah.'),
    promo_price: field(z.nullable(amount), 'The unit price while `is_promo` is true; null otherwise.'),
    is_promo: field(z.boolean(), 'Whether the product is on promotion: then one unit costs `promo_price`.'),
    category: field(z.nullable(categorySchema), "The product's category within its game; null without one."),
    status: field(z.boolean(), 'Whether the product can be ordered.'),
  },
);

const targetFieldSchema = object('TargetField', 'ours', 'A field that identifies the account to top up.', {
  name: field(targetFieldName, 'The field of the order that takes the value.'),
  label: field(z.string(), 'Label for the customer, such as `User ID`.'),
  required: field(z.boolean(), 'Whether an order without the field is rejected.'),
  options: field(
    z.exactOptional(z.array(z.string())),
    'The accepted values; absent when any text is accepted.',
  ),
});

const gameDetailSchema = object(
  'GameDetail',
  'ours',
  'A game with its products and the fields of an order.',
  {
    ...gameWithCategoryFields,
    products: field(z.array(productSchema), 'The products of the game.'),
    fields: field(
      z.array(targetFieldSchema),
      'The fields that identify the account to top up, in the order to ask for them.',
    ),
  },
);

const paymentMethodSchema = object(
  'PaymentMethod',
  'live',
  'A payment method. Money is in the smallest unit: integer rupiah.',
  {
    id: field(z.int(), 'Id of the method; the value for the `payment_method_id` field of an order.'),
    code: field(z.string(), "The shop's code of the method, such as `BRIVA`."),
    name: field(z.string(), 'Display name.'),
    images: field(z.string(), "Absolute URL of the method's logo."),
    group: field(paymentGroup, 'The kind of payment, for a heading.'),
    type: field(paymentMethodType, 'How the customer pays.'),
    fee: field(amount, 'Flat fee, in integer rupiah.'),
    fee_percent: field(z.number(), 'Percentage fee on top of the flat one, in per cent: 0.7 is 0.7 %.'),
    minimum_amount: field(amount, 'Smallest `total_price` that can be paid, in integer rupiah.'),
    maximum_amount: field(amount, 'Largest `total_price` that can be paid, in integer rupiah.'),
    status: field(z.boolean(), 'Whether the method can be used.'),
  },
);

export const pricingSchema = object(
  'Pricing',
  'interface 2.4',
  'Price breakdown. All amounts are in the smallest unit: integer rupiah.',
  {
    quantity: field(z.int(), 'Number of units.'),
    has_promo: field(z.boolean(), 'Whether a promo code lowers the price.'),
    promo_code: field(
      z.nullable(z.string()),
      'The applied promo code; null without one. The interface types it as a string and shows only orders with one.',
      { source: 'live', nullIsStated: true },
    ),
    unit_price_before_promo: field(amount, 'Price of one unit before the promo code.'),
    unit_discount: field(amount, 'Discount on one unit.'),
    unit_price_after_promo: field(amount, '`unit_price_before_promo - unit_discount`.'),
    subtotal_before_promo: field(amount, '`unit_price_before_promo * quantity`.'),
    promo_discount: field(amount, '`unit_discount * quantity`.'),
    subtotal_after_promo: field(amount, '`subtotal_before_promo - promo_discount`.'),
    payment_fee: field(amount, 'Fee of the payment method, which the customer pays.'),
    unique_code: field(
      amount,
      '1 to 999 for a bank transfer, so that its amount identifies the order; 0 otherwise.',
    ),
    total_price: field(amount, 'The amount to pay: `subtotal_after_promo + payment_fee + unique_code`.'),
  },
);

/** `INV-<timestamp digits>-<8 uppercase letters>` (interface 2.3). */
export const orderIdPattern: RegExp = /^INV-\d+-[A-Z]{8}$/;

export const orderSchema = object('Order', 'interface 2.3', 'A created order.', {
  order_id: field(z.string(), '`INV-<timestamp digits>-<8 uppercase letters>`.'),
  payment_status: field(paymentStatus, 'State of the payment; `UNPAID` in a new order.'),
  buy_status: field(
    buyStatus,
    'State of the delivery; `Pending` in a new order. Later `Proses` (paid, in delivery), `Sukses` (delivered), `Gagal` (the delivery failed) or `Batal` (cancelled, never paid).',
  ),
  payment_url: field(z.string(), 'Absolute URL of the payment page.'),
  payment_code: field(
    z.string(),
    'The payment code: content of a QR code, virtual account number, shop code, URL or account number.',
  ),
  payment_reference: field(z.string(), "The payment's id at the payment gateway."),
  qr_url: field(
    z.nullable(z.string()),
    "Absolute URL of the QR code's image; null for methods without one.",
    {
      nullIsStated: true,
    },
  ),
  expired_at: field(z.string(), "Payment expiry, ISO 8601 with the zone's offset."),
  quantity: field(z.int(), 'Number of units.'),
  total_price: field(amount, 'Equals `pricing.total_price`.'),
  pricing: field(pricingSchema, 'Price breakdown.'),
});

const invoiceOrderFields = fieldsFrom('live', {
  order_id: field(z.string(), '`INV-<timestamp digits>-<8 uppercase letters>`.'),
  games: field(z.string(), "The game's title."),
  product: field(z.string(), "The product's title."),
  code_product: field(z.string(), "The product's code."),
  id_games: field(z.string(), 'User ID or game ID of the account to top up.'),
  server_games: field(z.nullable(z.string()), 'Server ID of the account; null without one.'),
  nickname: field(z.nullable(z.string()), "The player's name in the game; null when the order has none."),
  email: field(z.nullable(z.string()), "The customer's e-mail address; null when the order has none."),
  whatsapp: field(z.string(), "The customer's phone number."),
  quantity: field(z.int(), 'Number of units.'),
  price: field(amount, 'Unit price after the promo.'),
  discount_price: field(amount, 'Unit price before the promo (despite its name).'),
  promo_discount: field(amount, 'Discount on all units.'),
  fee: field(amount, 'Fee of the payment method.'),
  total_price: field(amount, 'The amount to pay.'),
  payment_name: field(z.string(), 'Display name of the payment method.'),
  payment_method: field(z.string(), "The payment method's code."),
  payment_code: field(z.string(), 'The payment code, as in the order.'),
  payment_code_display: field(z.string(), 'The payment code for display, in groups of four digits.'),
  payment_url: field(z.string(), 'Absolute URL of the payment page.'),
  qr_string: field(z.exactOptional(z.string()), 'Content of the QR code; present for QR methods.'),
  qr_image_url: field(z.exactOptional(z.string()), 'Absolute URL of the QR image; present for QR methods.'),
  expired_time: field(z.int(), 'Payment expiry in unix seconds.'),
  payment_status: field(paymentStatus, 'State of the payment.'),
  buy_status: field(
    buyStatus,
    'State of the delivery: `Pending` (unpaid), `Proses` (paid, in delivery), `Sukses` (delivered), `Gagal` (the delivery failed), `Batal` (cancelled, never paid).',
  ),
  serial_number: field(
    z.exactOptional(z.string()),
    "The supplier's proof of delivery; present once delivered.",
  ),
  failure_reason: field(
    z.exactOptional(failureReason),
    'Why the delivery failed (ours); present with `Gagal`, unless no reason was recorded. If items failed for different reasons, the first reason of the list.',
    { source: 'ours' },
  ),
  refund_amount: field(
    z.exactOptional(amount),
    'Refund to the customer, paid or still to be paid (ours); present with `REFUND`, unless no amount was recorded, and with `Sukses` when a part or all of the payment is refunded.',
    { source: 'ours' },
  ),
  created_at: field(z.string(), "When the order was created: ISO 8601 with the zone's offset."),
  pricing: field(pricingSchema, 'Price breakdown.', { source: 'interface 2.4' }),
});

const invoiceOrderSchema = object(
  'InvoiceOrder',
  'live',
  'The order in an invoice. Money is in the smallest unit: integer rupiah.',
  invoiceOrderFields,
);

const listedOrderSchema = object(
  'ListedOrder',
  'ours',
  'An order in a list. Money is in the smallest unit: integer rupiah.',
  {
    order_id: invoiceOrderFields.order_id,
    games: invoiceOrderFields.games,
    product: invoiceOrderFields.product,
    code_product: invoiceOrderFields.code_product,
    id_games: invoiceOrderFields.id_games,
    server_games: invoiceOrderFields.server_games,
    quantity: invoiceOrderFields.quantity,
    total_price: invoiceOrderFields.total_price,
    payment_name: invoiceOrderFields.payment_name,
    expired_time: invoiceOrderFields.expired_time,
    payment_status: invoiceOrderFields.payment_status,
    buy_status: invoiceOrderFields.buy_status,
    serial_number: invoiceOrderFields.serial_number,
    created_at: invoiceOrderFields.created_at,
  },
);

const { category_id: _category, sort: _sort, ...invoiceGameFields } = gameFields;

const invoiceGameSchema = object('InvoiceGame', 'live', 'The game in an invoice.', invoiceGameFields);

const invoiceProductSchema = object('InvoiceProduct', 'live', 'The product in an invoice.', {
  id: field(z.int(), 'Id of the product.'),
  code: field(z.string(), "The shop's code of the product."),
  title: field(z.string(), 'Display name.'),
  brand: field(z.string(), 'Brand or short label.'),
  logo: field(z.string(), "Absolute URL of the brand's logo."),
  game_image: field(z.string(), "Absolute URL of the game's image."),
  image: field(z.string(), "Absolute URL of the product's image."),
});

const paymentStateSchema = object('PaymentState', 'live', 'The state of an order, for polling.', {
  order_id: field(z.string(), '`INV-<timestamp digits>-<8 uppercase letters>`.'),
  payment_status: field(paymentStatus, 'State of the payment.'),
  buy_status: field(
    buyStatus,
    'State of the delivery: `Pending` (unpaid), `Proses` (paid, in delivery), `Sukses` (delivered), `Gagal` (the delivery failed), `Batal` (cancelled, never paid).',
  ),
  expired_time: field(z.int(), 'Payment expiry in unix seconds.'),
});

const promoFactsSchema = object('PromoFacts', 'live', 'A promo code.', {
  code: field(z.string(), 'The code as it is stored.'),
  discount_type: field(discountType, 'How the code lowers the price.'),
  discount_value: field(z.number(), 'Per cent with `PERCENT`, integer rupiah with `FIXED`.'),
});

const promoPricingSchema = object(
  'PromoPricing',
  'live',
  'The price of one unit with a promo code, in integer rupiah.',
  {
    base_price: field(amount, 'Price before the promo code.'),
    discount: field(amount, 'Discount of the promo code.'),
    final_price: field(amount, 'Price after the promo code.'),
  },
);

const promoValidationSchema = object(
  'PromoValidation',
  'live',
  'A valid promo code, and the price of one unit with it.',
  {
    promo: field(promoFactsSchema, 'The promo code.'),
    pricing: field(promoPricingSchema, 'The price of one unit.'),
  },
);

const accountCheckSchema = object('AccountCheck', 'ours', 'Result of the check of an account to top up.', {
  game: field(z.string(), 'Slug of the game.'),
  id: field(z.string(), 'User ID or game ID of the account.'),
  server: field(z.nullable(z.string()), 'Server ID of the account; null without one.', {
    nullIsStated: true,
  }),
  status: field(accountStatus, 'Whether the account exists. Only `not_found` means that it does not.'),
  nickname: field(
    z.nullable(z.string()),
    "The player's name in the game; null unless the account was found and has one.",
    { nullIsStated: true },
  ),
});

/** The content of an invoice, used in the response of the invoice route and in events of an order. */
export const invoiceFields = fieldsFrom('live', {
  order: field(invoiceOrderSchema, 'The order with all details.'),
  game: field(invoiceGameSchema, 'The game of the order.'),
  product: field(invoiceProductSchema, 'The product of the order.'),
});

const orderEventData = object('OrderEventData', 'ours', 'An order as the invoice shows it.', invoiceFields);

/** Events of orders, which a route lists, too. */
export const orderEvent = event(
  'OrderEvent',
  'An order was created or changed.',
  orderEventTypes,
  orderEventData,
  {},
);

/** The schema of each operation's success response. */
export const responseSchemas = {
  listGames: object('ListGamesResponse', 'interface 4.1', 'Response of `GET /games`.', {
    success,
    games: field(z.array(gameWithCategorySchema), 'All games that are not hidden, including closed games.'),
    populerGames: field(
      z.array(gameSchema),
      'The popular games, without `category` (the interface spells the name this way).',
    ),
  }),
  getGame: object('GetGameResponse', 'ours', 'Response of `GET /games/{slug}`.', {
    success,
    data: field(gameDetailSchema, 'The game.'),
  }),
  getCheckout: object(
    'GetCheckoutResponse',
    'live',
    'Response of `GET /order/{slug}`: the data of a checkout page.',
    {
      success,
      game: field(gameDetailSchema, 'The game.'),
      paymentMethods: field(z.array(paymentMethodSchema), 'All payment methods, including closed ones.'),
    },
  ),
  createOrder: object('CreateOrderResponse', 'interface 4.2', 'Response of `POST /order`.', {
    success,
    message,
    orderId: field(z.string(), 'Same as `data.order_id`; use it to get the invoice and the payment status.'),
    data: field(orderSchema, 'The order.'),
  }),
  listOrders: object(
    'ListOrdersResponse',
    'ours',
    'Response of `GET /orders`: a page of the orders of the account, newest first.',
    {
      success,
      data: field(z.array(listedOrderSchema), 'The orders of the page, newest first.'),
      next_cursor: field(z.nullable(z.string()), 'The `cursor` of the next page; null on the last one.', {
        nullIsStated: true,
      }),
    },
  ),
  getInvoice: object('GetInvoiceResponse', 'live', 'Response of `GET /invoice/{order_id}`.', {
    success,
    ...invoiceFields,
  }),
  validatePromo: object('ValidatePromoResponse', 'live', 'Response of `POST /promo/validate`.', {
    success,
    message,
    data: field(promoValidationSchema, 'The promo code and the price with it.'),
  }),
  checkAccount: object('CheckAccountResponse', 'ours', 'Response of `POST /account/check`.', {
    success,
    data: field(accountCheckSchema, 'Result of the check.'),
  }),
  listEvents: object(
    'ListEventsResponse',
    'ours',
    "Response of `GET /events`: the events of the account's orders, oldest first.",
    {
      success,
      data: field(z.array(orderEvent.event), 'The events after the cursor, oldest first.'),
      next_cursor: field(
        z.string(),
        'The `after` of the next request, even if there are no more events yet.',
      ),
    },
  ),
  getPaymentStatus: object(
    'GetPaymentStatusResponse',
    'live',
    'Response of `GET /invoice/{order_id}/payment-status`.',
    {
      success,
      data: field(paymentStateSchema, 'The state of the order.'),
    },
  ),
};

/** The schema of each error shape of interface 7.1. */
export const errorSchemas = {
  message: object(
    'MessageBody',
    'interface 7.1',
    'Authentication failure; also the shape of 429 (source: laravel).',
    {
      message,
    },
  ),
  business: object('BusinessBody', 'interface 7.1', 'Business-rule failure.', {
    success: failure,
    message,
    orderId: field(
      z.exactOptional(z.string()),
      'The order of the `Idempotency-Key`; present with `IDEMPOTENCY_KEY_USED`.',
      { source: 'ours' },
    ),
  }),
  validation: object(
    'ValidationBody',
    'interface 7.1',
    'Field validation failure: messages by field, in the order of the fields.',
    {
      message: field(z.string(), 'Summary that names the first failed field and counts the further errors.'),
      errors: field(fieldErrors, 'Messages by field, in the order of the fields.'),
    },
  ),
  envelope: object('EnvelopeBody', 'interface 7.1', 'General error envelope.', {
    success: failure,
    message,
    error_code: field(z.string(), 'Error code, the same as in `X-Error-Code`.'),
    errors: field(fieldErrors, 'Messages by field; empty when the error concerns no field.'),
  }),
};
