// Generated from the schemas of the contract: do not edit, run `npx -y pnpm@12 generate`.
import type { Operation } from '@topup-kit/core/contract';
import type { Fields } from '../shape.ts';

const game: Fields = {
  id: 'integer',
  image: 'string',
  banner: 'string',
  title: 'string',
  developers: 'string',
  brand: 'string',
  category_id: 'integer',
  slug: 'string',
  description: 'string',
  status: 'boolean',
  populer: 'boolean',
  sort: 'integer',
};

const category: Fields = {
  id: 'integer',
  title: 'string',
};

const gameWithCategory: Fields = {
  ...game,
  category: category,
};

const product: Fields = {
  id: 'integer',
  game_id: 'integer',
  code: 'string',
  title: 'string',
  brand: 'string',
  logo: 'string',
  image: 'string',
  selling_price: 'integer',
  promo_price: ['nullable', 'integer'],
  is_promo: 'boolean',
  category: ['nullable', category],
  status: 'boolean',
};

const targetField: Fields = {
  name: 'string',
  label: 'string',
  required: 'boolean',
  options: ['optional', ['array', 'string']],
};

const gameDetail: Fields = {
  ...gameWithCategory,
  products: ['array', product],
  fields: ['array', targetField],
};

const paymentMethod: Fields = {
  id: 'integer',
  code: 'string',
  name: 'string',
  images: 'string',
  group: 'string',
  type: 'string',
  fee: 'integer',
  fee_percent: 'number',
  minimum_amount: 'integer',
  maximum_amount: 'integer',
  status: 'boolean',
};

const pricing: Fields = {
  quantity: 'integer',
  has_promo: 'boolean',
  promo_code: ['nullable', 'string'],
  unit_price_before_promo: 'integer',
  unit_discount: 'integer',
  unit_price_after_promo: 'integer',
  subtotal_before_promo: 'integer',
  promo_discount: 'integer',
  subtotal_after_promo: 'integer',
  payment_fee: 'integer',
  unique_code: 'integer',
  total_price: 'integer',
};

const order: Fields = {
  order_id: 'string',
  payment_status: 'string',
  buy_status: 'string',
  payment_url: 'string',
  payment_code: 'string',
  payment_reference: 'string',
  qr_url: ['nullable', 'string'],
  expired_at: 'string',
  quantity: 'integer',
  total_price: 'integer',
  pricing: pricing,
};

const listedOrder: Fields = {
  order_id: 'string',
  games: 'string',
  product: 'string',
  code_product: 'string',
  id_games: 'string',
  server_games: ['nullable', 'string'],
  quantity: 'integer',
  total_price: 'integer',
  payment_name: 'string',
  expired_time: 'integer',
  payment_status: 'string',
  buy_status: 'string',
  serial_number: ['optional', 'string'],
  created_at: 'string',
};

const invoiceOrder: Fields = {
  order_id: 'string',
  games: 'string',
  product: 'string',
  code_product: 'string',
  id_games: 'string',
  server_games: ['nullable', 'string'],
  nickname: ['nullable', 'string'],
  email: ['nullable', 'string'],
  whatsapp: 'string',
  quantity: 'integer',
  price: 'integer',
  discount_price: 'integer',
  promo_discount: 'integer',
  fee: 'integer',
  total_price: 'integer',
  payment_name: 'string',
  payment_method: 'string',
  payment_code: 'string',
  payment_code_display: 'string',
  payment_url: 'string',
  qr_string: ['optional', 'string'],
  qr_image_url: ['optional', 'string'],
  expired_time: 'integer',
  payment_status: 'string',
  buy_status: 'string',
  serial_number: ['optional', 'string'],
  failure_reason: ['optional', 'string'],
  refund_amount: ['optional', 'integer'],
  created_at: 'string',
  pricing: pricing,
};

const invoiceGame: Fields = {
  id: 'integer',
  image: 'string',
  banner: 'string',
  title: 'string',
  developers: 'string',
  brand: 'string',
  slug: 'string',
  description: 'string',
  status: 'boolean',
  populer: 'boolean',
};

const invoiceProduct: Fields = {
  id: 'integer',
  code: 'string',
  title: 'string',
  brand: 'string',
  logo: 'string',
  game_image: 'string',
  image: 'string',
};

const paymentState: Fields = {
  order_id: 'string',
  payment_status: 'string',
  buy_status: 'string',
  expired_time: 'integer',
};

const promoFacts: Fields = {
  code: 'string',
  discount_type: 'string',
  discount_value: 'number',
};

const promoPricing: Fields = {
  base_price: 'integer',
  discount: 'integer',
  final_price: 'integer',
};

const promoValidation: Fields = {
  promo: promoFacts,
  pricing: promoPricing,
};

const accountCheck: Fields = {
  game: 'string',
  id: 'string',
  server: ['nullable', 'string'],
  status: 'string',
  nickname: ['nullable', 'string'],
};

const orderEventData: Fields = {
  order: invoiceOrder,
  game: invoiceGame,
  product: invoiceProduct,
};

const orderEvent: Fields = {
  id: 'string',
  type: 'string',
  timestamp: 'string',
  data: orderEventData,
};

/** The shape of each operation's successful response. */
export const responseShapes: Record<Operation, Fields> = {
  listGames: {
    success: 'true',
    games: ['array', gameWithCategory],
    populerGames: ['array', game],
  },
  getGame: {
    success: 'true',
    data: gameDetail,
  },
  getCheckout: {
    success: 'true',
    game: gameDetail,
    paymentMethods: ['array', paymentMethod],
  },
  createOrder: {
    success: 'true',
    message: 'string',
    orderId: 'string',
    data: order,
  },
  listOrders: {
    success: 'true',
    data: ['array', listedOrder],
    next_cursor: ['nullable', 'string'],
  },
  getInvoice: {
    success: 'true',
    order: invoiceOrder,
    game: invoiceGame,
    product: invoiceProduct,
  },
  getPaymentStatus: {
    success: 'true',
    data: paymentState,
  },
  validatePromo: {
    success: 'true',
    message: 'string',
    data: promoValidation,
  },
  checkAccount: {
    success: 'true',
    data: accountCheck,
  },
  listEvents: {
    success: 'true',
    data: ['array', orderEvent],
    next_cursor: 'string',
  },
};
