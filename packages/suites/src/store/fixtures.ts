import type {
  Catalog,
  ChangeOrder,
  HistoryEntry,
  IdempotentResponse,
  PlaceOrder,
  Promo,
  PromoClaim,
  Reconciliation,
  Refund,
  ReservedOrder,
  ReserveOrder,
  Store,
  StoredKey,
  StoredOrder,
  StoredUnit,
} from '@topup-kit/core/store';

export const moment = Date.UTC(2026, 2, 28, 3, 0, 0);

export const promo = (over: Partial<Promo> = {}): Promo => ({
  code: 'TEN',
  discount: { type: 'PERCENT', basis_points: 1000, max_discount: null },
  status: true,
  starts_at: null,
  ends_at: null,
  quota: null,
  per_customer: null,
  minimum_purchase: 0,
  games: [],
  products: [],
  payment_methods: [],
  ...over,
});

export const catalog = (promos: Promo[] = []): Catalog => ({
  categories: [{ id: 1, title: 'MOBA' }],
  games: [],
  payment_methods: [],
  promos,
});

export const order = (over: Partial<StoredOrder> = {}, uniqueCode = 0): StoredOrder => ({
  orderId: 'INV-20260328100000-AAAAAAAA',
  accountId: 'shop',
  createdAt: moment,
  expiresAt: moment + 1_800_000,
  paymentStatus: 'UNPAID',
  buyStatus: 'Pending',
  target: { id: '12345678', server: '2012', nickname: null },
  contact: { email: null, whatsapp: '081234567890' },
  game: {
    id: 11,
    slug: 'mobile-legends',
    title: 'Mobile Legends',
    developers: 'Moonton',
    brand: 'MLBB',
    description: 'Five against five, “≥ 5 minutes”, 中文 & 🎮',
    image: null,
    banner: 'http://localhost/b.svg',
    status: true,
    populer: true,
  },
  product: { id: 901, code: 'ML86', title: '86 Diamond', image: null },
  paymentMethod: { id: 21, code: 'BANK_TRANSFER', name: 'Bank transfer', group: 'Bank Transfer' },
  pricing: {
    quantity: 1,
    has_promo: false,
    promo_code: null,
    unit_price_before_promo: 22_000,
    unit_discount: 0,
    unit_price_after_promo: 22_000,
    subtotal_before_promo: 22_000,
    promo_discount: 0,
    subtotal_after_promo: 22_000,
    payment_fee: 0,
    unique_code: uniqueCode,
    total_price: 22_000 + uniqueCode,
  },
  gateway: 'bank',
  pageReference: null,
  returnUrl: 'https://shop.example/orders/{order_id}',
  payment: { reference: 'ref-a', code: '0011223344', url: 'http://localhost/pay/ref-a', qrString: null },
  serialNumber: null,
  version: 1,
  ...over,
});

export const another = (letter: string, over: Partial<StoredOrder> = {}, uniqueCode = 0): StoredOrder => ({
  ...order({}, uniqueCode),
  orderId: `INV-20260328100000-${letter.repeat(8)}`,
  payment: { ...order().payment, reference: `ref-${letter}` },
  ...over,
});

export const idOf = (letter: string): string => another(letter).orderId;

export const claim = (over: Partial<PromoClaim> = {}): PromoClaim => ({
  code: 'TEN',
  customer: '6281234567890',
  perCustomer: null,
  ...over,
});

export const response = (over: Partial<IdempotentResponse> = {}): IdempotentResponse => ({
  accountId: 'shop',
  orderId: another('A').orderId,
  key: 'key-1',
  fingerprint: 'print-1',
  body: '{"success":true,"text":"“≥”"}',
  locale: 'id',
  expiresAt: moment + 86_400_000,
  ...over,
});

export const place = (placed: StoredOrder, over: Partial<PlaceOrder> = {}): PlaceOrder => ({
  order: placed,
  promo: null,
  response: null,
  ...over,
});

/** Returns an order without its payment, as a reserved order. */
export function withoutPayment({ payment: _payment, ...reserved }: StoredOrder): ReservedOrder {
  return reserved;
}

export const reserve = (placed: StoredOrder, over: Partial<ReserveOrder> = {}): ReserveOrder => ({
  order: withoutPayment(placed),
  promo: null,
  response: null,
  ...over,
});

export const inFlight = (over: Partial<IdempotentResponse> = {}): IdempotentResponse =>
  response({ body: null, locale: null, ...over });

/** Creates a key whose response is no longer stored. */
export const used = (over: Partial<IdempotentResponse> = {}): IdempotentResponse =>
  response({ body: '', locale: null, expiresAt: 0, ...over });

/** Creates the change from UNPAID to PAID of the new order A ({@link another}). */
export const change = (over: Partial<ChangeOrder> = {}): ChangeOrder => ({
  orderId: another('A').orderId,
  version: 1,
  to: paid,
  entry: null,
  promo: 'keep',
  units: [],
  serialNumber: null,
  settles: [],
  refunds: [],
  ...over,
});

export const entry = (over: Partial<HistoryEntry> = {}): HistoryEntry => ({
  at: moment + 60_000,
  event: 'paid',
  by: 'gateway',
  from: unpaid,
  to: paid,
  ...over,
});

export const unit = (number: number, over: Partial<StoredUnit> = {}): StoredUnit => ({
  unit: number,
  attempt: 1,
  state: 'waiting',
  askedAt: null,
  nextAt: moment + 60_000,
  supplier: null,
  findBy: null,
  serialNumber: null,
  supplierId: null,
  reason: null,
  failureKind: null,
  contradiction: null,
  cost: null,
  costSource: null,
  waitsFor: null,
  ...over,
});

export const reconciliation = (over: Partial<Reconciliation> = {}): Reconciliation => ({
  reconciliationId: 'rec-1',
  orderId: another('A').orderId,
  reference: 'ref-A',
  amount: 22_000,
  fee: null,
  paidAt: moment + 2_000_000,
  noticedAt: moment + 2_000_500,
  reason: 'late',
  state: 'open',
  note: null,
  closedAt: null,
  closedBy: null,
  ...over,
});

export const refund = (over: Partial<Refund> = {}): Refund => ({
  refundId: `${another('A').orderId}-R1`,
  orderId: another('A').orderId,
  amount: 7_334,
  units: [2, 3],
  at: moment + 90_000,
  operator: 'ani',
  note: 'no such player',
  state: 'to-pay',
  reference: null,
  closedAt: null,
  closedBy: null,
  ...over,
});

export const key = (over: Partial<StoredKey> = {}): StoredKey => ({
  keyId: 'key_1',
  hash: 'a'.repeat(64),
  accountId: 'shop',
  name: 'web shop',
  scopes: ['catalog:read', 'orders:write'],
  createdAt: moment,
  expiresAt: null,
  revokedAt: null,
  replacedBy: null,
  lastUsedAt: null,
  ...over,
});

/** Lists the activities of a store, without their numbers. */
export const listedActivity = async (
  store: Store,
  filter: Partial<Parameters<Store['listActivity']>[0]> = {},
) => (await store.listActivity({ limit: 9, ...filter })).map(({ number: _number, ...activity }) => activity);

export const ok = { done: true };
export const expired = { paymentStatus: 'EXPIRED', buyStatus: 'Batal' } as const;
export const unpaid = { paymentStatus: 'UNPAID', buyStatus: 'Pending' } as const;
export const paid = { paymentStatus: 'PAID', buyStatus: 'Proses' } as const;
export const delivered = { paymentStatus: 'PAID', buyStatus: 'Sukses' } as const;
