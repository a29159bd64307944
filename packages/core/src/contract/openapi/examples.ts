import type * as Wire from '../generated/types.ts';

const game: Wire.Game = {
  id: 11,
  image: 'https://topup.example/assets/games/mobile-legends.svg',
  banner: 'https://topup.example/assets/banners/mobile-legends.svg',
  title: 'Mobile Legends: Bang Bang',
  developers: 'Moonton',
  brand: 'Mobile Legends',
  category_id: 1,
  slug: 'mobile-legends',
  description:
    'Lima hero melawan lima di peta dengan tiga jalur, dalam pertandingan yang cukup singkat untuk perjalanan naik bus. Diamond dipakai untuk hero, skin, emote, dan pass setiap musim. User ID dan Zone ID berdampingan di halaman profilmu, misalnya 123456789 (2345); isi keduanya, karena yang satu tidak bisa diproses tanpa yang lain.',
  status: true,
  populer: true,
  sort: 1,
};

const gameWithCategory: Wire.GameWithCategory = { ...game, category: { id: 1, title: 'MOBA' } };

const gameDetail: Wire.GameDetail = {
  ...gameWithCategory,
  products: [
    {
      id: 901,
      game_id: 11,
      code: 'ML86',
      title: '86 Diamond',
      brand: 'Mobile Legends',
      logo: 'https://topup.example/assets/games/mobile-legends.svg',
      image: 'https://topup.example/assets/products/901.svg',
      selling_price: 22000,
      promo_price: null,
      is_promo: false,
      category: { id: 1, title: 'Diamonds' },
      status: true,
    },
  ],
  fields: [
    { name: 'id', label: 'User ID', required: true },
    { name: 'server', label: 'Zone ID', required: true },
  ],
};

const order_id = 'INV-20260328100000-DVHHEMKC';
const qr =
  '00020101021226560015ID.TOPUPKIT.WWW0111202600000010211202600000010303UMI51440014ID.CO.QRIS.WWW0215ID10202600000010303UMI5204581653033605405400005802ID5917TOPUP KIT SANDBOX6007JAKARTA62290525IO0EMJBXR24WT0G0XWC4UTJQH6304086A';
const payment_url = 'https://topup.example/pay/SIM0MN9QSIO0EMJBXR24WT0G0XWC4UTJQH';

const pricing: Wire.Pricing = {
  quantity: 2,
  has_promo: true,
  promo_code: 'RAMADAN10',
  unit_price_before_promo: 22000,
  unit_discount: 2000,
  unit_price_after_promo: 20000,
  subtotal_before_promo: 44000,
  promo_discount: 4000,
  subtotal_after_promo: 40000,
  payment_fee: 0,
  unique_code: 0,
  total_price: 40000,
};

const {
  category_id: _category,
  sort: _sort,
  category: _of,
  products: _products,
  fields: _fields,
  ...invoiceGame
} = gameDetail;

/**
 * The sandbox's responses to the example requests of the route table, with shortened lists. A test compares them. They are separate from
 * the route table, because the mock sends that table to browsers.
 */
export const responseExamples: Wire.Responses = {
  listGames: { success: true, games: [gameWithCategory], populerGames: [game] },
  getGame: { success: true, data: gameDetail },
  getCheckout: {
    success: true,
    game: gameDetail,
    paymentMethods: [
      {
        id: 12,
        code: 'QRIS',
        name: 'QRIS',
        images: 'https://topup.example/assets/payment-methods/12.svg',
        group: 'QRIS',
        type: 'direct',
        fee: 0,
        fee_percent: 0,
        minimum_amount: 1000,
        maximum_amount: 5000000,
        status: true,
      },
      {
        id: 13,
        code: 'BRIVA',
        name: 'BRI Virtual Account',
        images: 'https://topup.example/assets/payment-methods/13.svg',
        group: 'Virtual Account',
        type: 'direct',
        fee: 4250,
        fee_percent: 0,
        minimum_amount: 10000,
        maximum_amount: 10000000,
        status: true,
      },
    ],
  },
  createOrder: {
    success: true,
    message: 'Pesanan berhasil dibuat.',
    orderId: order_id,
    data: {
      order_id,
      payment_status: 'UNPAID',
      buy_status: 'Pending',
      payment_url,
      payment_code: qr,
      payment_reference: 'SIM0MN9QSIO0EMJBXR24WT0G0XWC4UTJQH',
      qr_url: 'https://topup.example/pay/SIM0MN9QSIO0EMJBXR24WT0G0XWC4UTJQH/qr.svg',
      expired_at: '2026-03-28T10:30:00+07:00',
      quantity: 2,
      total_price: 40000,
      pricing,
    },
  },
  listOrders: {
    success: true,
    data: [
      {
        order_id,
        games: 'Mobile Legends: Bang Bang',
        product: '86 Diamond',
        code_product: 'ML86',
        id_games: '12345678',
        server_games: '2012',
        quantity: 2,
        total_price: 40000,
        payment_name: 'QRIS',
        expired_time: 1774668600,
        payment_status: 'UNPAID',
        buy_status: 'Pending',
        created_at: '2026-03-28T10:00:00+07:00',
      },
    ],
    next_cursor: null,
  },
  getInvoice: {
    success: true,
    order: {
      order_id,
      games: 'Mobile Legends: Bang Bang',
      product: '86 Diamond',
      code_product: 'ML86',
      id_games: '12345678',
      server_games: '2012',
      nickname: null,
      email: null,
      whatsapp: '081234567890',
      quantity: 2,
      price: 20000,
      discount_price: 22000,
      promo_discount: 4000,
      fee: 0,
      total_price: 40000,
      payment_name: 'QRIS',
      payment_method: 'QRIS',
      payment_code: qr,
      payment_code_display: qr,
      payment_url,
      qr_string: qr,
      qr_image_url: 'https://topup.example/pay/SIM0MN9QSIO0EMJBXR24WT0G0XWC4UTJQH/qr.svg',
      expired_time: 1774668600,
      payment_status: 'UNPAID',
      buy_status: 'Pending',
      created_at: '2026-03-28T10:00:00+07:00',
      pricing,
    },
    game: invoiceGame,
    product: {
      id: 901,
      code: 'ML86',
      title: '86 Diamond',
      brand: 'Mobile Legends',
      logo: 'https://topup.example/assets/games/mobile-legends.svg',
      game_image: 'https://topup.example/assets/games/mobile-legends.svg',
      image: 'https://topup.example/assets/products/901.svg',
    },
  },
  getPaymentStatus: {
    success: true,
    data: { order_id, payment_status: 'UNPAID', buy_status: 'Pending', expired_time: 1774668600 },
  },
  validatePromo: {
    success: true,
    message: 'Kode promo dapat digunakan.',
    data: {
      promo: { code: 'RAMADAN10', discount_type: 'PERCENT', discount_value: 10 },
      pricing: { base_price: 22000, discount: 2000, final_price: 20000 },
    },
  },
  listEvents: { success: true, data: [], next_cursor: '1' },
  checkAccount: {
    success: true,
    data: {
      game: 'mobile-legends',
      id: '12345678',
      server: '2012',
      status: 'found',
      nickname: 'Player5678',
    },
  },
};
