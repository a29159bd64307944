import type * as Wire from '../../types/index.ts';

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
    "Five heroes against five on a map of three lanes, in matches short enough for a bus ride: farm, gank, take the Lord and break the enemy base. Diamonds pay for heroes, skins, emotes and the season's passes. Your User ID and Zone ID stand side by side on your profile page, as in 123456789 (2345); please fill in both, because one without the other can't be credited.",
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

export const catalogExamples: {
  listGames: Wire.GameListAnswer;
  getGame: Wire.GameAnswer;
  getCheckout: Wire.CheckoutAnswer;
} = {
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
};
