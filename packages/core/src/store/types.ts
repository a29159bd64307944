import type {
  BuyStatus,
  FailureReason,
  KeyScope,
  PaymentGroup,
  PaymentStatus,
  Pricing,
  TargetField,
} from '../contract/index.ts';

/** A product of a game. Money is in the smallest unit: integer rupiah. */
export interface CatalogProduct {
  /** `product_id` of orders; unique in the catalogue. */
  id: number;
  /** The shop's code of the product, which invoices show; unique in the catalogue. */
  code: string;
  /** The supplier's code of the product; null if it equals `code`. Clients never see it. */
  supplier_code: string | null;
  /**
   * Suppliers to try, in this order and each once, with their codes of the product. Left out or null, the first supplier of the settings
   * sells it. Clients never see it.
   */
  suppliers?: { supplier: string; code: string }[] | null;
  /** Name of the product, such as `86 Diamond`. */
  title: string;
  /** The group that shows the product on a game's page. */
  category: { id: number; title: string } | null;
  /** The unit price, in integer rupiah. */
  selling_price: number;
  /** Whether the price was set by hand and margin rules don't change it; false if left out. */
  price_locked?: boolean;
  /** The unit price while `is_promo` is true, in integer rupiah. */
  promo_price: number | null;
  /** Whether `promo_price` applies; with a sale period, exactly during it. */
  is_promo: boolean;
  /** Start of the sale: ISO 8601. Left out or null for no start. */
  promo_from?: string | null;
  /** End of the sale: ISO 8601. Left out or null for no end. */
  promo_until?: string | null;
  /** Closed products are shown but can't be ordered. */
  status: boolean;
  /** Absolute URL; without one the service draws a picture. */
  image: string | null;
}

/** A game and its products. */
export interface CatalogGame {
  /** Unique in the catalogue. */
  id: number;
  /** The name in URLs and orders, such as `mobile-legends`; unique in the catalogue. */
  slug: string;
  /** Display name. */
  title: string;
  /** Name of the developer. */
  developers: string;
  /** Brand or short label. */
  brand: string;
  /** The `id` of a category in `categories`. */
  category_id: number;
  /** Text about the game. */
  description: string;
  /** Absolute URL; without one the service draws a picture. */
  image: string | null;
  /** Absolute URL of a wide picture; without one the service draws it. */
  banner: string | null;
  /** Closed games are shown but can't be ordered. */
  status: boolean;
  /** Hidden games don't exist for clients. */
  hidden: boolean;
  /** Whether the game is in `populerGames`. */
  populer: boolean;
  /** Games are listed by this number, lowest first. */
  sort: number;
  /** Fields that name the account to top up. `pattern` is a value's format, such as `\\d{6,10}`; clients never see it. */
  fields: (TargetField & { pattern?: string })[];
  /** The account in the supplier's format, such as `{id}|{server}`; null joins both without a separator. Clients never see it. */
  target: string | null;
  /** Products of the game. */
  products: CatalogProduct[];
}

/** A payment method. Its group determines the kind of payment code, the expiry, and whether a unique code is added. */
export interface CatalogPaymentMethod {
  id: number;
  code: string;
  name: string;
  group: PaymentGroup;
  /** Flat fee. */
  fee: number;
  /** Percentage fee in basis points: 70 is 0.7 %. */
  fee_basis_points: number;
  /** The lowest fee. */
  minimum_fee: number;
  /** Limits on an order's total. */
  minimum_amount: number;
  maximum_amount: number;
  /** Closed methods are shown but can't be used. */
  status: boolean;
  /** Absolute URL; without one the service draws a picture. */
  image: string | null;
}

/** The discount of one unit: a share in basis points (1000 is 10 %), or an amount. */
export type Discount =
  | { type: 'PERCENT'; basis_points: number; max_discount: number | null }
  | { type: 'FIXED'; value: number; max_discount: number | null };

/** A promo code and its rules; an empty list of games, products or methods means all of them. */
export interface Promo {
  code: string;
  discount: Discount;
  status: boolean;
  /** ISO 8601 date and time; null means no start or no end. */
  starts_at: string | null;
  ends_at: string | null;
  /** Maximum number of orders in total; null for any number. */
  quota: number | null;
  /** Maximum number of orders per customer (phone number); null for any number. */
  per_customer: number | null;
  /** Lowest `subtotal_before_promo` that the code can be used for. */
  minimum_purchase: number;
  /** Slugs. */
  games: string[];
  products: number[];
  payment_methods: number[];
}

/** The content of a catalogue file with its defaults: everything for sale. */
export interface Catalog {
  categories: { id: number; title: string }[];
  games: CatalogGame[];
  payment_methods: CatalogPaymentMethod[];
  promos: Promo[];
}

/** Adds the operator's promos that a catalogue file doesn't name, which an import keeps. */
export function mergeOperatorPromos(catalog: Catalog, operatorPromos: readonly Promo[]): Catalog {
  const named = new Set(catalog.promos.map(({ code }) => code));
  return {
    ...catalog,
    promos: [...catalog.promos, ...operatorPromos.filter(({ code }) => !named.has(code))],
  };
}

/** Nothing for sale. */
export const emptyCatalog: Catalog = { categories: [], games: [], payment_methods: [], promos: [] };

/** A copy of the game at the time of sale, so that later changes of the catalogue don't change an order. */
type OrderedGame = Pick<
  CatalogGame,
  'id' | 'slug' | 'title' | 'developers' | 'brand' | 'description' | 'image' | 'banner' | 'status' | 'populer'
> &
  // Orders of earlier versions lack it.
  Partial<Pick<CatalogGame, 'target'>>;
export type OrderedProduct = Pick<CatalogProduct, 'id' | 'code' | 'title' | 'image'> &
  // In the order of attempts for this order.
  Partial<Pick<CatalogProduct, 'supplier_code' | 'suppliers'>>;
type OrderedPaymentMethod = Pick<CatalogPaymentMethod, 'id' | 'code' | 'name' | 'group'>;

/** A payment that a gateway created. */
export interface Payment {
  /** The gateway's reference: unique, and unguessable only for the simulated gateway. */
  reference: string;
  /** The code to pay to, such as a virtual account number or the text of a QR code; null if the gateway gives none. */
  code: string | null;
  /** Absolute URL of the payment page; null if the gateway has none. */
  url: string | null;
  /** The text of the QR code; null for methods without one. */
  qrString: string | null;
}

/** The two states of an order; the store always changes both together. */
export interface OrderState {
  paymentStatus: PaymentStatus;
  buyStatus: BuyStatus;
}

/** The data that a polling client gets, and the data to find it. */
export type OrderProgress = Pick<
  StoredOrder,
  'orderId' | 'accountId' | 'expiresAt' | 'paymentStatus' | 'buyStatus'
>;

/** An order as stored. Times are unix milliseconds of world time, amounts are in the smallest unit. */
export interface StoredOrder extends OrderState {
  orderId: string;
  accountId: string;
  createdAt: number;
  expiresAt: number;
  /** The account to top up. */
  target: { id: string; server: string | null; nickname: string | null };
  contact: { email: string | null; whatsapp: string };
  game: OrderedGame;
  product: OrderedProduct;
  paymentMethod: OrderedPaymentMethod;
  pricing: Pricing;
  /** The gateway of its payment; null for orders of earlier versions. */
  gateway: string | null;
  /**
   * The unguessable reference in its payment page's URL. Null if the gateway's reference is used: for the simulated gateway, and for
   * orders of earlier versions.
   */
  pageReference: string | null;
  /** The URL where the customer returns to the shop; null if the order has none. */
  returnUrl: string | null;
  payment: Payment;
  serialNumber: string | null;
  /** Grows with every change. A change is stored only if the order still has the version that it was planned for. */
  version: number;
}

/** Fields of orders that earlier versions lack, and their values in the orders of those. Stores and snapshots read them by this list. */
export const laterOrderFields = { gateway: null, returnUrl: null } satisfies Partial<StoredOrder>;

/** An order whose payment is being created: its claims are stored, and it is not visible yet. */
export type ReservedOrder = Omit<StoredOrder, 'payment'>;

/** Events that change an order's state (open points: states); a `noted` changes none. */
export const orderEvents = [
  'paid',
  'expired',
  'failed',
  'settled',
  'delivered',
  'undelivered',
  'retried',
  'refunded',
  'noted',
] as const;
export type OrderEvent = (typeof orderEvents)[number];

/** The author of a change. */
export type Actor = 'gateway' | 'supplier' | 'clock' | 'operator' | 'sandbox';

/** The result of a failed attempt to deliver a unit. */
export type EarlierAttempt = Pick<
  StoredUnit,
  'unit' | 'attempt' | 'askedAt' | 'supplier' | 'supplierId' | 'reason'
> & {
  /** Whether the supplier did not buy it then, but may later. */
  isHeldUp?: true;
};

/** Properties to select payments to reconcile by. */
export type ReconciliationFilter = Partial<
  Pick<Reconciliation, 'reconciliationId' | 'reference' | 'state'> & { orderId: string }
>;

/** An entry of an order's history. */
export interface HistoryEntry {
  /** Unix milliseconds of world time. */
  at: number;
  event: OrderEvent;
  by: Actor;
  from: OrderState;
  to: OrderState;
  /** The operator's name; entries of earlier versions lack it. */
  operator?: string;
  /** When the payment of a `paid` was made, if the gateway reported it: another time means another payment. */
  paidAt?: number;
  /** The gateway's fee for a `paid` or `settled`, or for a `failed` that it paid back, if it reported one: integer in the smallest unit. */
  fee?: number;
  /** The amount paid for a `settled`, or paid back for a `refunded`: integer in the smallest unit. */
  amount?: number;
  /** The operator's note. */
  note?: string;
  /** The proof of delivery that the operator gave. */
  serialNumber?: string;
  /** Attempts before a `retried`. */
  attempts?: EarlierAttempt[];
  /** Maximum loss per unit from then on, relative to its price without a promo code, for an operator's `retried`. */
  maxLoss?: number;
  /** Units that counted as delivered until the operator marked them as failed. */
  revoked?: RevokedItem[];
}

/** A change of an order, and its position among the changes of all orders: 1 for the first, and rising. */
export interface OrderChange {
  position: number;
  orderId: string;
  /** The order's version after the change. */
  version: number;
  /** Null for the order's creation. Orders of earlier versions lack that change. */
  entry: HistoryEntry | null;
}

/** A unit's number, and its proof of delivery if there was one. */
export type RevokedItem = Pick<StoredUnit, 'unit' | 'serialNumber'>;

export const unitStates = ['waiting', 'asked', 'unknown', 'delivered', 'failed'] as const;
type UnitState = (typeof unitStates)[number];

/** What a unit waits for if only an operator can provide it. */
export const waitReasons = ['balance'] as const;

/** The source of a purchase's cost: the supplier's response to it, or the list before that. */
export const costSources = ['supplier', 'listed'] as const;

/** How a supplier finds a purchase. */
export const findByKinds = ['reference', 'supplierId', 'none'] as const;

/** The delivery of one unit of an order. Times are unix milliseconds of world time. */
export interface StoredUnit {
  /** 1 to the order's quantity. */
  unit: number;
  /** Grows with every retry by an operator; the supplier's reference is `{order_id}-{unit}-{attempt}`. */
  attempt: number;
  /**
   * `waiting`: to be submitted. `asked`: submitted, or a crash came just before; its outcome is looked up. `unknown`: the outcome can no
   * longer be looked up, so an operator must find out; it is never bought again automatically.
   */
  state: UnitState;
  /** The first request for this attempt. */
  askedAt: number | null;
  /**
   * When to submit or look up next; null if the outcome is known or can't be. For an unknown outcome: when to check whether its supplier
   * is configured again.
   */
  nextAt: number | null;
  /** The supplier that has it, or that gets it next; null before that, and for units of earlier versions. */
  supplier: string | null;
  /** How that supplier finds it; null with `supplier`. */
  findBy: (typeof findByKinds)[number] | null;
  /** The supplier's own id of the purchase, once known. */
  supplierId: string | null;
  serialNumber: string | null;
  /**
   * The supplier's reason for a failure, the reason for an unknown outcome, or while it is looked up: the reason for the last failed
   * look-up.
   */
  reason: string | null;
  /** The failure's reason for the customer, also while a new attempt waits; null otherwise, and for failures of earlier versions. */
  failureKind: FailureReason | null;
  /** The supplier's contradictions of an outcome, as sentences; an operator finds out the truth. */
  contradiction: string | null;
  /**
   * The cost of this attempt if it is delivered: integer in the smallest unit. A failed attempt costs nothing. Null before submission, if
   * unknown, and for units of earlier versions.
   */
  cost: number | null;
  /** Null with `cost`. */
  costSource: (typeof costSources)[number] | null;
  /** `balance`: the supplier buys it automatically after a sufficient deposit; null if it waits for nothing known. */
  waitsFor: (typeof waitReasons)[number] | null;
}

export const reconciliationReasons = ['late', 'amount', 'closed', 'unknown', 'refunded'] as const;

/**
 * A payment that does not match its order: an operator settles an order with it, or marks it as returned. One with reason `refunded` is
 * money that left: an operator makes it part of a refund of the order, or closes it as returned.
 */
export interface Reconciliation {
  reconciliationId: string;
  /** Null if the payment was made for no known order; the operator who settles it names one. */
  orderId: string | null;
  /** The gateway's payment reference. */
  reference: string;
  /** Integer in the smallest unit. */
  amount: number;
  /** The gateway's fee: integer in the smallest unit. Null if it was not reported, for `refunded`, and for earlier versions. */
  fee: number | null;
  /** When it was made or refunded, in unix milliseconds of world time. */
  paidAt: number;
  noticedAt: number;
  /**
   * `late`: paid after the expiry; `amount`: differs from the order's total; `closed`: paid again, or after it failed; `unknown`: no
   * order has this reference; `refunded`: the gateway paid this amount back, and the order doesn't show it.
   */
  reason: (typeof reconciliationReasons)[number];
  /** `settled`: it counts as the order's payment, or as a refund of the order. */
  state: 'open' | 'settled' | 'returned';
  /** The operator's note. */
  note: string | null;
  /** When it was settled or returned; null while it is open, and if an earlier version closed it. */
  closedAt: number | null;
  /** The operator who closed it; null like `closedAt`, and if the gateway's own report closed it. */
  closedBy: string | null;
}

export const refundStates = ['to-pay', 'paid', 'cancelled'] as const;

/** Money of an order that its customer gets back. Times are unix milliseconds of world time. */
export interface Refund {
  /** `{order_id}-R{number}`, such as `INV-20260329093000-ABCDEFGH-R1`. */
  refundId: string;
  orderId: string;
  /** Integer in the smallest unit. */
  amount: number;
  /** The numbers of its units: undelivered ones, or all of a delivered order. Empty for the excess over the order's total. */
  units: number[];
  at: number;
  /** The operator who decided it; null if the gateway reported it. */
  operator: string | null;
  /** The operator's note. */
  note: string | null;
  /** `to-pay`: an operator must pay it by hand. `cancelled`: it turned out not to be owed. */
  state: (typeof refundStates)[number];
  /** The reference of the payment to the customer, or the reason for a cancellation. */
  reference: string | null;
  closedAt: number | null;
  /** The operator who paid or cancelled it; null while it is to be paid, and if the gateway paid it. */
  closedBy: string | null;
}

/** A stored API key, without the key itself. Times are unix milliseconds of real time. */
export interface StoredKey {
  /** Public identifier of the key, for lists and logs. */
  keyId: string;
  /** SHA-256 of the key, in hex. */
  hash: string;
  /** The account whose orders the key reads and places; several keys may belong to one account. */
  accountId: string;
  /** The operator's name for it. */
  name: string;
  scopes: KeyScope[];
  createdAt: number;
  /** When the key expires; null for a key without expiry. */
  expiresAt: number | null;
  revokedAt: number | null;
  /** The id of the replacing key; null unless it was rotated. */
  replacedBy: string | null;
  /** To about a minute; null for an unused key. */
  lastUsedAt: number | null;
}

/** Requests to a provider whose failures raise an alert. */
export const providerCalls = ['access', 'payments', 'purchases', 'products', 'balance'] as const;
export type ProviderCall = (typeof providerCalls)[number];

/** A kind of request that a provider doesn't handle now. */
export interface ProviderHealthIssue {
  /** The gateway's or supplier's name. */
  provider: string;
  call: ProviderCall;
  /** The reason, in one line without secrets. */
  problem: string;
  /** When the first one failed, in unix milliseconds of real time. */
  since: number;
}

/** A product in a supplier's list, for the shop's account. */
export interface SupplierProduct {
  /** The supplier's code. */
  code: string;
  /** The current cost of one unit: integer in the smallest unit. Without it, no product is closed because of its cost. */
  price?: number;
  /** The supplier's names of the product, its game or company, and its kind. */
  name?: string;
  brand?: string;
  category?: string;
  /** Whether it can be bought. */
  isAvailable: boolean;
  /** Units in stock; null for any number. */
  stock: number | null;
  /** Whether it is sold only once per target and day. */
  isOncePerDay: boolean;
  /** The supplier's current or next cut-off hours, in unix milliseconds, when it can't be bought; null for none. */
  pause: { from: number; until: number } | null;
}

/** A supplier's last list of everything that it sells. */
export interface SupplierList {
  /** The supplier's name. */
  supplier: string;
  /** Unix milliseconds of real time. */
  readAt: number;
  products: readonly SupplierProduct[];
}

/** One value that an edit of the catalogue changed. */
export interface EditedValue {
  kind: 'catalog' | 'category' | 'game' | 'product' | 'payment_method' | 'promo' | 'margin';
  /** A game's slug, a product's or promo's code, a margin's scope and key as one text; otherwise the entry's id as text. */
  key: string;
  /** '' for an entry that was added or removed; its value is then its title. */
  field: string;
  /** Null for no value. */
  from: unknown;
  to: unknown;
}

/** An entry in the catalogue's edit history. */
export interface CatalogEdit {
  /** Unix milliseconds of real time. */
  at: number;
  /** The operator's name; null if unknown. */
  by: string | null;
  /** The command, such as `set-price ML86`. */
  command: string;
  values: readonly EditedValue[];
}

/** An edit with its number. Later edits have higher numbers. */
export interface StoredCatalogEdit extends CatalogEdit {
  number: number;
}

/** The last known balance of the account at a supplier. */
export interface SupplierBalance {
  supplier: string;
  /** Integer in the smallest unit. */
  balance: number;
  /** The balance below which an alert is raised; integer in the smallest unit. */
  alertBelow: number;
  /** Unix milliseconds of real time. */
  readAt: number;
}
