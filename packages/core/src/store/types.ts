import type {
  BuyStatus,
  FailureReason,
  KeyScope,
  PaymentGroup,
  PaymentStatus,
  Pricing,
  TargetField,
} from '../contract/index.ts';

/** A product of a game. Amounts are in the smallest unit (integer rupiah). */
export interface CatalogProduct {
  /** `product_id` of orders; unique in the catalogue. */
  id: number;
  /** The shop's code of the product, which invoices show; unique in the catalogue. */
  code: string;
  /** The supplier's code of the product; null if it equals `code`. Clients never see it. */
  supplier_code: string | null;
  /**
   * Suppliers to try, in this order and each once, with their codes of the product. If null or left out, the first supplier of the settings
   * sells it. Clients never see it.
   */
  suppliers?: { supplier: string; code: string }[] | null;
  /** Name of the product, such as `86 Diamond`. */
  title: string;
  /** The group in which a game's page shows the product. */
  category: { id: number; title: string } | null;
  /** The unit price, in integer rupiah. */
  selling_price: number;
  /** True if the price was set by hand and margin rules don't change it; false if left out. */
  price_locked?: boolean;
  /** The unit price while `is_promo` is true, in integer rupiah. */
  promo_price: number | null;
  /** True if `promo_price` applies; with a sale period, exactly during it. */
  is_promo: boolean;
  /** Start of the sale: ISO 8601. Null or left out if there is no start. */
  promo_from?: string | null;
  /** End of the sale: ISO 8601. Null or left out if there is no end. */
  promo_until?: string | null;
  /** False if the product is closed: it is shown but can't be ordered. */
  status: boolean;
  /** Absolute URL of a picture; null if the service draws it. */
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
  /** Absolute URL of a picture; null if the service draws it. */
  image: string | null;
  /** Absolute URL of a wide picture; null if the service draws it. */
  banner: string | null;
  /** False if the game is closed: it is shown but can't be ordered. */
  status: boolean;
  /** True if the game is hidden, so that it doesn't exist for clients. */
  hidden: boolean;
  /** True if the game is in `populerGames`. */
  populer: boolean;
  /** Position in lists of games, lowest first. */
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
  /** Fixed part of the fee. */
  fee: number;
  /** Percentage fee in basis points: 70 is 0.7 %. */
  fee_basis_points: number;
  /** Minimum fee. */
  minimum_fee: number;
  /** Limits on an order's total. */
  minimum_amount: number;
  maximum_amount: number;
  /** False if the method is closed: it is shown but can't be used. */
  status: boolean;
  /** Absolute URL of a picture; null if the service draws it. */
  image: string | null;
}

/** The discount on one unit: a share in basis points (1000 is 10 %), or an amount. */
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
  /** Lowest `subtotal_before_promo` for which the code can be used. */
  minimum_purchase: number;
  /** Slugs of games. */
  games: string[];
  products: number[];
  payment_methods: number[];
}

/** Everything for sale: the content of a catalogue file with its defaults. */
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

/** A catalogue with nothing for sale. */
export const emptyCatalog: Catalog = { categories: [], games: [], payment_methods: [], promos: [] };

/** A copy of the game at the time of sale, so that later changes of the catalogue don't change an order. */
type OrderedGame = Pick<
  CatalogGame,
  'id' | 'slug' | 'title' | 'developers' | 'brand' | 'description' | 'image' | 'banner' | 'status' | 'populer'
> &
  // Orders of earlier versions lack this field.
  Partial<Pick<CatalogGame, 'target'>>;
export type OrderedProduct = Pick<CatalogProduct, 'id' | 'code' | 'title' | 'image'> &
  // The suppliers are in the sequence of attempts for this order.
  Partial<Pick<CatalogProduct, 'supplier_code' | 'suppliers'>>;
type OrderedPaymentMethod = Pick<CatalogPaymentMethod, 'id' | 'code' | 'name' | 'group'>;

/** A payment that a gateway created. */
export interface Payment {
  /** The gateway's reference: unique, and unguessable only for the simulated gateway. */
  reference: string;
  /** The code to pay to, such as a virtual account number or the text of a QR code; null if the gateway provides none. */
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

/** The data for a polling client, and the data to find it. */
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
  /** Name of the gateway; null for orders of earlier versions. */
  gateway: string | null;
  /**
   * The unguessable reference in the URL of its payment page. Null if the gateway's reference is used, as for the simulated gateway and for
   * orders of earlier versions.
   */
  pageReference: string | null;
  /** The URL at which the customer returns to the shop; null if the order has none. */
  returnUrl: string | null;
  payment: Payment;
  serialNumber: string | null;
  /** Increases with every change. A change is stored only if the order still has the version for which the change was planned. */
  version: number;
}

/** Fields that orders of earlier versions lack, and the values that stores and snapshots use for them. */
export const laterOrderFields = { gateway: null, returnUrl: null } satisfies Partial<StoredOrder>;

/** An order whose payment is being created. Its claims are stored, but it is not visible yet. */
export type ReservedOrder = Omit<StoredOrder, 'payment'>;

/** Events that change an order's state (open points: states), and `noted`, which changes none. */
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
  /** True if the supplier did not buy it then, but may later. */
  isHeldUp?: true;
};

/** Properties by which payments to reconcile are selected. */
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
  /** For a `paid`, the time of the payment if the gateway reported it. A different time means a different payment. */
  paidAt?: number;
  /** For a `paid`, a `settled`, or a `failed` that was paid back, the gateway's fee if reported: integer in the smallest unit. */
  fee?: number;
  /** For a `settled`, the amount paid; for a `refunded`, the amount paid back. Integer in the smallest unit. */
  amount?: number;
  /** The operator's note. */
  note?: string;
  /** The proof of delivery from the operator. */
  serialNumber?: string;
  /** For a `retried`, the earlier attempts. */
  attempts?: EarlierAttempt[];
  /** For an operator's `retried`, the maximum loss per unit from then on, relative to the price without a promo code. */
  maxLoss?: number;
  /** Units that counted as delivered until the operator marked them as failed. */
  revoked?: RevokedItem[];
}

/** A change of an order, and its increasing position among the changes of all orders, starting at 1. */
export interface OrderChange {
  position: number;
  orderId: string;
  /** The order's version after the change. */
  version: number;
  /** The history entry; null for the order's creation, a change that orders of earlier versions lack. */
  entry: HistoryEntry | null;
}

/** The number of a unit, and its former proof of delivery. */
export type RevokedItem = Pick<StoredUnit, 'unit' | 'serialNumber'>;

export const unitStates = ['waiting', 'asked', 'unknown', 'delivered', 'failed'] as const;
type UnitState = (typeof unitStates)[number];

/** Things that a unit waits for and that only an operator can provide. */
export const waitReasons = ['balance'] as const;

/** Sources of a purchase's cost: the supplier's response, or before that the supplier's list. */
export const costSources = ['supplier', 'listed'] as const;

/** Ways in which a supplier finds a purchase. */
export const findByKinds = ['reference', 'supplierId', 'none'] as const;

/** The delivery of one unit of an order. Times are unix milliseconds of world time. */
export interface StoredUnit {
  /** Number of the unit, from 1 to the order's quantity. */
  unit: number;
  /** Increases with every attempt; our reference at the supplier is `{order_id}-{unit}-{attempt}`. */
  attempt: number;
  /**
   * `waiting`: the unit will be submitted. `asked`: it was submitted, or a crash happened just before that, so its outcome is looked up.
   * `unknown`: the outcome can no longer be looked up, so an operator must find it out, and the unit is never bought again automatically.
   */
  state: UnitState;
  /** Time of the first request for this attempt. */
  askedAt: number | null;
  /**
   * Time of the next submission or look-up; null if the outcome is known or can never be known. For an unknown outcome, the time at which
   * to check whether its supplier is configured again.
   */
  nextAt: number | null;
  /** Name of the supplier that has the unit, or that gets it next; null before a supplier is chosen, and for units of earlier versions. */
  supplier: string | null;
  /** The way in which that supplier finds it; null if `supplier` is null. */
  findBy: (typeof findByKinds)[number] | null;
  /** The supplier's own id of the purchase; null until it is known. */
  supplierId: string | null;
  serialNumber: string | null;
  /** The reason for a failure (by the supplier) or an unknown outcome. During look-ups, the reason for the last failed look-up. */
  reason: string | null;
  /** The reason for a failure that the customer sees, even while a new attempt waits; otherwise, and in earlier versions, null. */
  failureKind: FailureReason | null;
  /** The supplier's contradictions of an outcome, as sentences. An operator must find out the truth. */
  contradiction: string | null;
  /**
   * The cost of this attempt if it is delivered: integer in the smallest unit. A failed attempt costs nothing. Null before submission, if
   * the cost is unknown, and for units of earlier versions.
   */
  cost: number | null;
  /** Source of the cost; null if `cost` is null. */
  costSource: (typeof costSources)[number] | null;
  /** The reason for waiting; null if unknown. `balance`: it is bought automatically after a sufficient deposit at the supplier. */
  waitsFor: (typeof waitReasons)[number] | null;
}

export const reconciliationReasons = ['late', 'amount', 'closed', 'unknown', 'refunded'] as const;

/**
 * A payment that matches no order: an operator settles an order with it, or marks it as returned. With the reason `refunded`, it is a
 * repayment by the gateway: an operator makes it part of a refund of the order, or closes it as returned.
 */
export interface Reconciliation {
  reconciliationId: string;
  /** Id of the order; null if no order is known, until an operator settles an order with the payment. */
  orderId: string | null;
  /** The gateway's payment reference. */
  reference: string;
  /** Integer in the smallest unit. */
  amount: number;
  /** The gateway's fee: integer in the smallest unit. Null if it was not reported, for `refunded`, and for earlier versions. */
  fee: number | null;
  /** Time at which it was made or refunded, in unix milliseconds of world time. */
  paidAt: number;
  noticedAt: number;
  /**
   * `late`: the customer paid after the expiry. `amount`: the amount differs from the order's total. `closed`: the order was already paid,
   * or had failed. `unknown`: no order has this reference. `refunded`: the gateway paid this amount back, but the order doesn't show it.
   */
  reason: (typeof reconciliationReasons)[number];
  /** The state. `settled` means that it counts as the order's payment, or as a refund of the order. */
  state: 'open' | 'settled' | 'returned';
  /** The operator's note. */
  note: string | null;
  /** Time at which it was settled or returned; null while it is open, and if an earlier version closed it. */
  closedAt: number | null;
  /** The operator who closed it; null if `closedAt` is null, and if a report of the gateway closed it. */
  closedBy: string | null;
}

export const refundStates = ['to-pay', 'paid', 'cancelled'] as const;

/** Money that the customer of an order gets back. Times are unix milliseconds of world time. */
export interface Refund {
  /** `{order_id}-R{number}`, such as `INV-20260329093000-ABCDEFGH-R1`. */
  refundId: string;
  orderId: string;
  /** Integer in the smallest unit. */
  amount: number;
  /** The numbers of the refunded units: undelivered units, or all units of a delivered order. Empty for an amount paid above the total. */
  units: number[];
  at: number;
  /** The operator who decided it; null if the gateway reported it. */
  operator: string | null;
  /** The operator's note. */
  note: string | null;
  /** The state. `to-pay`: an operator must pay it by hand. `cancelled`: it turned out not to be owed. */
  state: (typeof refundStates)[number];
  /** The reference of the payment to the customer, or the reason for a cancellation. */
  reference: string | null;
  closedAt: number | null;
  /** The operator who paid or cancelled it; null while it is open, and if the gateway paid it. */
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
  /** Name that the operator gave to the key. */
  name: string;
  scopes: KeyScope[];
  createdAt: number;
  /** Expiry of the key; null if it never expires. */
  expiresAt: number | null;
  revokedAt: number | null;
  /** The id of the key that replaces it; null unless it was rotated. */
  replacedBy: string | null;
  /** Time of the last use, accurate to about a minute; null for an unused key. */
  lastUsedAt: number | null;
}

/** Kinds of requests to a provider whose failures raise an alert. */
export const providerCalls = ['access', 'payments', 'purchases', 'products', 'balance'] as const;
export type ProviderCall = (typeof providerCalls)[number];

/** A kind of request that a provider doesn't handle now. */
export interface ProviderHealthIssue {
  /** The gateway's or supplier's name. */
  provider: string;
  call: ProviderCall;
  /** The reason, in one line without secrets. */
  problem: string;
  /** Time of the first failure, in unix milliseconds of real time. */
  since: number;
}

/** A product in a supplier's list, for the shop's account. */
export interface SupplierProduct {
  /** The supplier's code. */
  code: string;
  /** The current cost of one unit: integer in the smallest unit. If left out, no product is closed because of its cost. */
  price?: number;
  /** The supplier's names for the product, for its game or company, and for its kind. */
  name?: string;
  brand?: string;
  category?: string;
  /** True if it can be bought. */
  isAvailable: boolean;
  /** Units in stock; null for any number. */
  stock: number | null;
  /** True if it is sold only once per target and day. */
  isOncePerDay: boolean;
  /** The supplier's current or next cut-off hours, during which it can't be bought, in unix milliseconds; null if there are none. */
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
  /** The slug of a game, the code of a product or promo, or the scope and key of a margin as one text; otherwise the entry's id as text. */
  key: string;
  /** Name of the field; '' for an entry that was added or removed, whose value is its title. */
  field: string;
  /** Values before and after the edit; null for no value. */
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

/** An edit with its number, which is higher for later edits. */
export interface StoredCatalogEdit extends CatalogEdit {
  number: number;
}

/** The last known balance of the shop's account at a supplier. */
export interface SupplierBalance {
  supplier: string;
  /** Integer in the smallest unit. */
  balance: number;
  /** The balance below which an alert is raised; integer in the smallest unit. */
  alertBelow: number;
  /** Unix milliseconds of real time. */
  readAt: number;
}
