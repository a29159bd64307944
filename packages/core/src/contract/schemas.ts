import * as z from 'zod/mini';
import { paymentGroups } from './payment-kinds.ts';
import { field, fieldsFrom, object } from './schema-docs.ts';
import type * as Wire from './types.ts';
import {
  buyStatuses,
  discountTypes,
  paymentMethodTypes,
  paymentStatuses,
  targetFieldNames,
} from './types.ts';

/** Money is an integer in the smallest unit (interface 2.4). */
const amount = z.int();
const fieldErrors = z.record(z.string(), z.array(z.string()));
const success = field(z.literal(true), 'always true');
const failure = field(z.literal(false), 'always false');
const message = field(z.string(), 'text for people; never parse it');

export const categorySchema = object<Wire.Category>()('Category', 'interface 2.2', 'A category.', {
  id: field(z.int(), 'category identifier'),
  title: field(z.string(), 'display name'),
});

const gameFields = fieldsFrom('interface 2.1', {
  id: field(z.int(), 'game identifier'),
  image: field(z.string(), "absolute URL of the game's image"),
  banner: field(z.string(), 'absolute URL of the banner image'),
  title: field(z.string(), 'display name'),
  developers: field(z.string(), 'developer name'),
  brand: field(z.string(), 'brand or short label'),
  category_id: field(z.int(), 'identifier of the category of the game'),
  slug: field(z.string(), 'unique text key of the game; the value for the `game` field of an order'),
  description: field(z.string(), 'text'),
  status: field(z.boolean(), 'whether the game is active; a closed game (false) can be read but not ordered'),
  populer: field(z.boolean(), 'whether the game is popular (the interface spells the name this way)'),
  sort: field(z.int(), 'sort position'),
});

export const gameSchema = object<Wire.Game>()(
  'Game',
  'interface 2.1',
  'A game in the list `populerGames`.',
  gameFields,
);

const gameWithCategoryFields = fieldsFrom('interface 2.1', {
  ...gameFields,
  category: field(categorySchema, 'the category with the identifier `category_id`'),
});

export const gameWithCategorySchema = object<Wire.GameWithCategory>()(
  'GameWithCategory',
  'interface 2.1',
  'A game with its category, in the list `games`.',
  gameWithCategoryFields,
);

const productSchema = object<Wire.Product>()('Product', 'live', 'A product that can be bought for a game.', {
  id: field(z.int(), 'product identifier; the value for the `product_id` field of an order'),
  game_id: field(z.int(), 'identifier of the game that the product belongs to'),
  code: field(z.string(), "the shop's code for the product"),
  title: field(z.string(), 'display name'),
  brand: field(z.string(), 'brand of the game'),
  logo: field(z.string(), "absolute URL of the game's image"),
  image: field(z.string(), "absolute URL of the product's image"),
  selling_price: field(amount, 'unit price in the smallest unit of the currency'),
  promo_price: field(z.nullable(amount), 'unit price while `is_promo` is true; null otherwise'),
  is_promo: field(z.boolean(), 'whether the product is on promotion'),
  category: field(z.nullable(categorySchema), 'category that the product is shown in, or null'),
  status: field(z.boolean(), 'whether the product can be ordered'),
});

const targetFieldSchema = object<Wire.TargetField>()(
  'TargetField',
  'ours',
  'A field that identifies the account to top up.',
  {
    name: field(z.enum(targetFieldNames), 'name of the field in an order'),
    label: field(z.string(), 'label of the field for customers'),
    required: field(z.boolean(), 'whether the game needs the field'),
    options: field(
      z.exactOptional(z.array(z.string())),
      'the accepted values; absent when any text is accepted',
    ),
  },
);

const gameDetailSchema = object<Wire.GameDetail>()(
  'GameDetail',
  'ours',
  'A game with its products and the fields of an order.',
  {
    ...gameWithCategoryFields,
    products: field(z.array(productSchema), 'the products of the game'),
    fields: field(
      z.array(targetFieldSchema),
      'the fields that identify the account to top up; show them in a checkout',
    ),
  },
);

const paymentMethodSchema = object<Wire.PaymentMethod>()('PaymentMethod', 'live', 'A payment method.', {
  id: field(z.int(), 'payment method identifier; the value for the `payment_method_id` field of an order'),
  code: field(z.string(), "the method's code"),
  name: field(z.string(), 'display name'),
  images: field(z.string(), "absolute URL of the method's logo"),
  group: field(z.enum(paymentGroups), 'what kind of method it is'),
  type: field(
    z.enum(paymentMethodTypes),
    '`direct`: the shop shows a code to pay to; `redirect`: the customer pays on another page',
  ),
  fee: field(amount, 'flat fee in the smallest unit of the currency'),
  fee_percent: field(z.number(), 'percentage fee on top of the flat one: 0.7 is 0.7 %'),
  minimum_amount: field(amount, 'minimum `total_price` for this method'),
  maximum_amount: field(amount, 'maximum `total_price` for this method'),
  status: field(z.boolean(), 'whether the method can be chosen'),
});

export const pricingSchema = object<Wire.Pricing>()(
  'Pricing',
  'interface 2.4',
  'The price breakdown. All amounts are integers in the smallest unit of the currency.',
  {
    quantity: field(z.int(), 'ordered quantity'),
    has_promo: field(z.boolean(), 'whether a promo code was applied'),
    promo_code: field(
      z.nullable(z.string()),
      'the applied promo code; null without one (the interface shows only orders with one)',
      { source: 'live', nullIsStated: true },
    ),
    unit_price_before_promo: field(amount, 'price of one unit'),
    unit_discount: field(amount, 'discount of the promo for one unit'),
    unit_price_after_promo: field(amount, '`unit_price_before_promo` - `unit_discount`'),
    subtotal_before_promo: field(amount, '`unit_price_before_promo` x `quantity`'),
    promo_discount: field(amount, '`unit_discount` x `quantity`'),
    subtotal_after_promo: field(amount, '`subtotal_before_promo` - `promo_discount`'),
    payment_fee: field(amount, 'fee of the payment method, paid by the customer'),
    unique_code: field(
      amount,
      '1 to 999 for a bank transfer, so that the amount identifies the order; 0 otherwise',
    ),
    total_price: field(amount, 'total amount to pay: `subtotal_after_promo` + `payment_fee` + `unique_code`'),
  },
);

export const orderSchema = object<Wire.Order>()('Order', 'interface 2.3', 'A created order.', {
  order_id: field(z.string(), 'invoice identifier, `INV-<timestamp digits>-<8 uppercase letters>`'),
  payment_status: field(
    z.enum(paymentStatuses),
    '`UNPAID` at first; the other states come from the documentation of the live services',
  ),
  buy_status: field(
    z.enum(buyStatuses),
    '`Pending` at first; the other states come from the documentation of the live services',
  ),
  payment_url: field(z.string(), 'URL of the payment page'),
  payment_code: field(
    z.string(),
    'code that the customer pays with: an EMV QR string, an account number or a shop code',
  ),
  payment_reference: field(z.string(), "the payment gateway's reference"),
  qr_url: field(z.nullable(z.string()), 'URL of the QR image; null when the method has none', {
    nullIsStated: true,
  }),
  expired_at: field(z.string(), 'payment expiry: ISO 8601 with UTC offset'),
  quantity: field(z.int(), 'ordered quantity'),
  total_price: field(amount, 'total amount to pay; equals `pricing.total_price`'),
  pricing: field(pricingSchema, 'price breakdown'),
});

const invoiceOrderFields = fieldsFrom('live', {
  order_id: field(z.string(), 'invoice identifier'),
  games: field(z.string(), 'title of the game'),
  product: field(z.string(), 'title of the product'),
  code_product: field(z.string(), 'code of the product'),
  id_games: field(z.string(), 'user ID or game ID of the target account'),
  server_games: field(z.nullable(z.string()), 'server ID of the target account, or null'),
  nickname: field(z.nullable(z.string()), 'in-game nickname from the order, or null'),
  email: field(z.nullable(z.string()), "orderer's e-mail address, or null"),
  whatsapp: field(z.string(), "orderer's phone number"),
  quantity: field(z.int(), 'ordered quantity'),
  price: field(amount, 'unit price after the promo'),
  discount_price: field(amount, 'unit price before the promo (despite its name)'),
  promo_discount: field(amount, 'total discount of the promo'),
  fee: field(amount, 'fee of the payment method'),
  total_price: field(amount, 'total amount to pay'),
  payment_name: field(z.string(), 'name of the payment method'),
  payment_method: field(z.string(), 'code of the payment method'),
  payment_code: field(
    z.string(),
    'code that the customer pays with: an EMV QR string, an account number or a shop code',
  ),
  payment_code_display: field(z.string(), 'the payment code for display, in groups of four digits'),
  payment_url: field(z.string(), 'URL of the payment page'),
  qr_string: field(z.exactOptional(z.string()), 'content of the QR code; present for QR methods'),
  qr_image_url: field(z.exactOptional(z.string()), 'absolute URL of the QR image; present for QR methods'),
  expired_time: field(z.int(), 'payment expiry in unix seconds'),
  payment_status: field(z.enum(paymentStatuses), 'state of the payment'),
  buy_status: field(z.enum(buyStatuses), 'state of the delivery'),
  serial_number: field(
    z.exactOptional(z.string()),
    "the supplier's proof of delivery; present once delivered",
  ),
  refund_amount: field(
    z.exactOptional(amount),
    'what goes back to the customer, paid or still to be paid; present with `REFUND`, unless nobody recorded how much',
    { source: 'ours' },
  ),
  created_at: field(z.string(), 'when the order was created: ISO 8601 with UTC offset'),
  pricing: field(pricingSchema, 'price breakdown', { source: 'interface 2.4' }),
});

const invoiceOrderSchema = object<Wire.InvoiceOrder>()(
  'InvoiceOrder',
  'live',
  'The order in an invoice.',
  invoiceOrderFields,
);

const listedOrderSchema = object<Wire.ListedOrder>()('ListedOrder', 'ours', 'An order in a list.', {
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
});

const { category_id: _category, sort: _sort, ...invoiceGameFields } = gameFields;

const invoiceGameSchema = object<Wire.InvoiceGame>()(
  'InvoiceGame',
  'live',
  'The game in an invoice.',
  invoiceGameFields,
);

const invoiceProductSchema = object<Wire.InvoiceProduct>()(
  'InvoiceProduct',
  'live',
  'The product in an invoice.',
  {
    id: field(z.int(), 'product identifier'),
    code: field(z.string(), "the shop's code for the product"),
    title: field(z.string(), 'display name'),
    brand: field(z.string(), 'brand of the game'),
    logo: field(z.string(), "absolute URL of the game's image"),
    game_image: field(z.string(), "absolute URL of the game's image"),
    image: field(z.string(), "absolute URL of the product's image"),
  },
);

const paymentStateSchema = object<Wire.PaymentState>()(
  'PaymentState',
  'live',
  'The state of an order, for polling.',
  {
    order_id: field(z.string(), 'invoice identifier'),
    payment_status: field(z.enum(paymentStatuses), 'state of the payment'),
    buy_status: field(z.enum(buyStatuses), 'state of the delivery'),
    expired_time: field(z.int(), 'payment expiry in unix seconds'),
  },
);

const promoFactsSchema = object<Wire.PromoValidation['promo']>()('PromoFacts', 'live', 'A promo code.', {
  code: field(z.string(), 'the code'),
  discount_type: field(z.enum(discountTypes), 'whether the discount is a percentage or an amount'),
  discount_value: field(z.number(), 'percentage for `PERCENT`, amount for `FIXED`'),
});

const promoPricingSchema = object<Wire.PromoValidation['pricing']>()(
  'PromoPricing',
  'live',
  'The price of one unit with a promo code.',
  {
    base_price: field(amount, 'unit price without the code'),
    discount: field(amount, 'discount of the code'),
    final_price: field(amount, 'unit price with the code'),
  },
);

const promoValidationSchema = object<Wire.PromoValidation>()(
  'PromoValidation',
  'live',
  'A promo code that can be used.',
  {
    promo: field(promoFactsSchema, 'the promo code'),
    pricing: field(promoPricingSchema, 'price of one unit with the code'),
  },
);

/** The schema of each operation's success response. */
export const responseSchemas = {
  listGames: object<Wire.ListGamesResponse>()(
    'ListGamesResponse',
    'interface 4.1',
    'All games and the popular games.',
    {
      success,
      games: field(z.array(gameWithCategorySchema), 'all publicly available games, each with `category`'),
      populerGames: field(z.array(gameSchema), 'the popular games, without `category`'),
    },
  ),
  getGame: object<Wire.GetGameResponse>()('GetGameResponse', 'ours', 'A game with its products.', {
    success,
    data: field(gameDetailSchema, 'the game with its products'),
  }),
  getCheckout: object<Wire.GetCheckoutResponse>()(
    'GetCheckoutResponse',
    'live',
    'The data of a checkout page.',
    {
      success,
      game: field(gameDetailSchema, 'the game with its products'),
      paymentMethods: field(z.array(paymentMethodSchema), 'the payment methods'),
    },
  ),
  createOrder: object<Wire.CreateOrderResponse>()(
    'CreateOrderResponse',
    'interface 4.2',
    'The created order.',
    {
      success,
      message,
      orderId: field(z.string(), 'same as `data.order_id`; use it to get the invoice and the payment status'),
      data: field(orderSchema, 'the order'),
    },
  ),
  listOrders: object<Wire.ListOrdersResponse>()(
    'ListOrdersResponse',
    'ours',
    'A page of the orders of the account, newest first.',
    {
      success,
      data: field(z.array(listedOrderSchema), 'the orders of the page'),
      next_cursor: field(z.nullable(z.string()), 'the `cursor` of the next page; null on the last one', {
        nullIsStated: true,
      }),
    },
  ),
  getInvoice: object<Wire.GetInvoiceResponse>()('GetInvoiceResponse', 'live', 'The invoice of an order.', {
    success,
    order: field(invoiceOrderSchema, 'the order'),
    game: field(invoiceGameSchema, 'its game'),
    product: field(invoiceProductSchema, 'its product'),
  }),
  validatePromo: object<Wire.ValidatePromoResponse>()(
    'ValidatePromoResponse',
    'live',
    'A promo code that can be used.',
    {
      success,
      message,
      data: field(promoValidationSchema, 'the promo code and the price with it'),
    },
  ),
  getPaymentStatus: object<Wire.GetPaymentStatusResponse>()(
    'GetPaymentStatusResponse',
    'live',
    'The state of an order.',
    {
      success,
      data: field(paymentStateSchema, 'the state'),
    },
  ),
};

/** The schema of each error shape of interface 7.1. */
export const errorSchemas = {
  message: object<Wire.MessageBody>()('MessageBody', 'interface 7.1', 'Authentication failure.', {
    message,
  }),
  business: object<Wire.BusinessBody>()('BusinessBody', 'interface 7.1', 'Business-rule failure.', {
    success: failure,
    message,
  }),
  validation: object<Wire.ValidationBody>()('ValidationBody', 'interface 7.1', 'Field validation failure.', {
    message: field(z.string(), 'summary that names the first failed field and counts the further errors'),
    errors: field(fieldErrors, 'messages by field, in the order of the fields'),
  }),
  envelope: object<Wire.EnvelopeBody>()('EnvelopeBody', 'interface 7.1', 'General error envelope.', {
    success: failure,
    message,
    error_code: field(z.string(), 'error code, the same as in `X-Error-Code`'),
    errors: field(fieldErrors, 'messages by field; empty when the error concerns no field'),
  }),
};
