import type { CreateOrderRequest, PaymentGroup } from '@topup-kit/core/contract';

/** The known fees and limits of a payment method. Amounts are in the smallest unit. */
export interface PaymentMethodInfo {
  id: number;
  code: string;
  group: PaymentGroup;
  fee: number;
  /** Percentage fee in hundredths of a per cent: 70 is 0.7 %. */
  basisPoints: number;
  minimumFee: number;
  minimum: number;
  maximum: number;
}

/** Promo codes that the service rejects for the fixture's order, one for each reason. */
export interface RejectedPromos {
  inactive: string;
  notStarted: string;
  expired: string;
  usedUp: string;
  /** A code that needs a purchase of at least 50,000. The fixture's order is below this. */
  minimum50k: string;
  otherGame: string;
  otherProduct: string;
  otherMethod: string;
}

/** The data for a service's conformance cases. Only `order` is required. A case that needs a missing part is skipped, with the reason. */
export interface ConformanceFixture {
  /** An order that the service accepts: the required fields, and `server` if the game needs one. */
  order: CreateOrderRequest;
  /** A promo code that the order may use any number of times. */
  promoCode?: string;
  /** A promo code that each customer may use once. */
  oncePromoCode?: string;
  /** A product of a game other than the order's. */
  otherGameProductId?: number;
  /** Set if the order's game needs a server. */
  needsServer?: true;
  /** Slug of a game that is listed but closed. */
  closedGame?: string;
  /** Slug of a game that is hidden from clients. */
  hiddenGame?: string;
  /** A product that can't be ordered, and its game. */
  closedProduct?: { game: string; product_id: number };
  closedMethodId?: number;
  rejectedPromos?: RejectedPromos;
  /** The payment methods of the service; `docs/open-points.md` lists those of the sandbox. */
  methods?: readonly PaymentMethodInfo[];
  /** Set if the service has the sandbox catalogue, so that cases may use its known products and prices. */
  sandboxCatalogue?: true;
}

const account = { basisPoints: 0, minimumFee: 0, minimum: 10_000, maximum: 10_000_000 };
const retail = { basisPoints: 0, minimumFee: 0, minimum: 10_000, maximum: 2_500_000 };
const wallet = { fee: 0, basisPoints: 300, minimumFee: 1000, minimum: 1000, maximum: 10_000_000 };
const qr = { minimumFee: 0, minimum: 1000, maximum: 5_000_000 };

/** The table of payment methods in `docs/open-points.md`. */
const methods: readonly PaymentMethodInfo[] = [
  { id: 12, code: 'QRIS', group: 'QRIS', fee: 0, basisPoints: 0, ...qr },
  { id: 13, code: 'BRIVA', group: 'Virtual Account', fee: 4250, ...account },
  { id: 14, code: 'BCAVA', group: 'Virtual Account', fee: 5500, ...account },
  { id: 15, code: 'BNIVA', group: 'Virtual Account', fee: 4250, ...account },
  { id: 16, code: 'MANDIRIVA', group: 'Virtual Account', fee: 4250, ...account },
  { id: 17, code: 'ALFAMART', group: 'Retail', fee: 3500, ...retail },
  { id: 18, code: 'INDOMARET', group: 'Retail', fee: 3500, ...retail },
  { id: 19, code: 'DANA', group: 'E-Wallet', ...wallet },
  { id: 20, code: 'SHOPEEPAY', group: 'E-Wallet', ...wallet },
  { id: 21, code: 'BANK_TRANSFER', group: 'Bank Transfer', fee: 0, ...account, maximum: 50_000_000 },
  { id: 22, code: 'QRIS2', group: 'QRIS', fee: 750, basisPoints: 70, ...qr },
];

/** The fixture for a service with the sandbox catalogue. */
export const sandboxFixture: ConformanceFixture = {
  order: {
    id: '12345678',
    server: '2012',
    game: 'mobile-legends',
    product_id: 901,
    payment_method_id: 12,
    whatsapp: '081234567890',
  },
  promoCode: 'RAMADAN10',
  oncePromoCode: 'ONCE20',
  otherGameProductId: 1203,
  needsServer: true,
  closedGame: 'tower-of-fantasy',
  hiddenGame: 'love-and-deepspace',
  closedProduct: { game: 'steam-wallet', product_id: 2208 },
  closedMethodId: 23,
  rejectedPromos: {
    inactive: 'PAUSED10',
    notStarted: 'FUTURE10',
    expired: 'EXPIRED10',
    usedUp: 'SOLDOUT10',
    minimum50k: 'HEMAT5K',
    otherGame: 'GENSHIN15',
    otherProduct: 'WEEKLY3K',
    otherMethod: 'EWALLET5',
  },
  methods,
  sandboxCatalogue: true,
};
