import type { ErrorCode, ErrorShape } from './errors.ts';
import type { OrderInput } from './field-rules.ts';
import type { Operation } from './routes.ts';
import type { BuyStatus, PaymentGroup, PaymentStatus } from './types/index.ts';

/** The routes that the interface only mentions or that this kit adds; the two that it specifies are always there. */
export type OptionalRoute = Exclude<Operation, 'listGames' | 'createOrder'>;

/** Groups of errors whose bodies the interface doesn't show. */
export const openErrors = {
  /** 404 of a game, product, payment method or invoice. */
  notFound: ['GAME_NOT_FOUND', 'PRODUCT_NOT_FOUND', 'PAYMENT_METHOD_NOT_FOUND', 'INVOICE_NOT_FOUND'],
  /** 422 of a promo code. */
  promo: [
    'PROMO_NOT_FOUND',
    'PROMO_INACTIVE',
    'PROMO_NOT_STARTED',
    'PROMO_EXPIRED',
    'PROMO_QUOTA',
    'PROMO_USED',
    'PROMO_MINIMUM',
    'PROMO_NOT_ELIGIBLE',
  ],
  /** 422 of an amount or a unique code that the payment method can't take. */
  payment: ['PAYMENT_LIMIT', 'PAYMENT_METHOD_BUSY'],
  /** 500 of an order whose payment or saving failed. */
  orderFailed: ['PAYMENT_FAILED', 'SAVE_FAILED'],
  /** 409 of an `Idempotency-Key`. */
  idempotency: ['IDEMPOTENCY_CONFLICT', 'IDEMPOTENCY_IN_FLIGHT'],
  /** 422 of a body that is no JSON object. */
  malformed: ['MALFORMED_JSON'],
  /** 429. */
  rateLimited: ['RATE_LIMITED'],
  /** All that comes from HTTP and not from the interface: 403, 404 of a route, 405, 413, 415, 500, 503. */
  http: [
    'FORBIDDEN',
    'ROUTE_NOT_FOUND',
    'METHOD_NOT_ALLOWED',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'SERVER_ERROR',
    'UNAVAILABLE',
  ],
} as const satisfies Record<string, readonly ErrorCode[]>;

export type OpenError = keyof typeof openErrors;

/**
 * How a service fills the interface's silence: one entry for each open point that a client can notice. What the
 * interface does say is in no dialect. Where no other source is named, an entry's default is this kit's choice.
 */
export interface Dialect {
  /** Which routes there are besides `GET /games` and `POST /order` (interface 4.3). */
  routes: Record<OptionalRoute, boolean>;
  /** Which of the bodies of interface 7.1 an error has whose body the interface doesn't show. */
  errorBodies: Record<OpenError, ErrorShape>;
  /** Headers of answers that the interface doesn't have. */
  headers: {
    /** `X-Error-Code`. */
    errorCode: boolean;
    /** `X-Request-Id`. */
    requestId: boolean;
    /** `RateLimit` and `RateLimit-Policy`. */
    rateLimit: boolean;
    /** `Retry-After`. */
    retryAfter: boolean;
  };
  /**
   * What becomes of an `Idempotency-Key`: `honoured` and told so in the answer's headers, honoured in `silent`, or
   * `ignored`, so that the same request twice is two orders.
   */
  idempotency: 'honoured' | 'silent' | 'ignored';
  /** What the payment statuses besides `UNPAID` are called (interface 3). */
  paymentStatuses: Record<Exclude<PaymentStatus, 'UNPAID'>, string>;
  /** What the buy statuses besides `Pending` are called (interface 3). */
  buyStatuses: Record<Exclude<BuyStatus, 'Pending'>, string>;
  /**
   * How a field without a value is written where the interface doesn't say: `documented` writes some as null and
   * leaves others out, as the open points have it; `null` and `absent` treat all of them alike.
   */
  emptyFields: 'documented' | 'null' | 'absent';
  /** The order in which an order's fields are checked; those not named follow in the order of interface 4.2. */
  fieldOrder: readonly (keyof OrderInput)[];
  /** Whether `messenger_number` is taken in place of `whatsapp` (interface 4.2). */
  messengerNumber: boolean;
  /** Whether a request whose `Accept` doesn't name JSON is refused (interface 4). */
  acceptRequired: boolean;
  /** How long an order waits for its payment, in minutes (interface 8). */
  expiryMinutes: Record<PaymentGroup, number>;
  /** IANA name of the zone, or offset such as `+07:00`, that times are told in; null: the deployment's own. */
  timezone: string | null;
}

/** This kit's own reading of the silence: the default (open points). */
export const kitDialect: Dialect = {
  routes: { getGame: true, getCheckout: true, getInvoice: true, getPaymentStatus: true, validatePromo: true },
  errorBodies: {
    notFound: 'business',
    promo: 'business',
    payment: 'business',
    orderFailed: 'business',
    idempotency: 'business',
    malformed: 'validation',
    rateLimited: 'message',
    http: 'envelope',
  },
  headers: { errorCode: true, requestId: true, rateLimit: true, retryAfter: true },
  idempotency: 'honoured',
  paymentStatuses: { PAID: 'PAID', EXPIRED: 'EXPIRED', FAILED: 'FAILED', REFUND: 'REFUND' },
  buyStatuses: { Proses: 'Proses', Sukses: 'Sukses', Gagal: 'Gagal', Batal: 'Batal' },
  emptyFields: 'documented',
  fieldOrder: [],
  messengerNumber: true,
  acceptRequired: false,
  expiryMinutes: { QRIS: 30, 'E-Wallet': 60, 'Virtual Account': 1440, Retail: 1440, 'Bank Transfer': 1440 },
  timezone: null,
};

/** The profile `interface-only`: nothing but what the interface document states (open points: profiles). */
export const interfaceOnly: Dialect = {
  ...kitDialect,
  routes: {
    getGame: false,
    getCheckout: false,
    getInvoice: false,
    getPaymentStatus: false,
    validatePromo: false,
  },
  // What all the shapes of interface 7.1 have in common.
  errorBodies: {
    notFound: 'message',
    promo: 'message',
    payment: 'message',
    orderFailed: 'message',
    idempotency: 'message',
    malformed: 'message',
    rateLimited: 'message',
    http: 'message',
  },
  headers: { errorCode: false, requestId: false, rateLimit: false, retryAfter: false },
  idempotency: 'ignored',
  messengerNumber: false,
  acceptRequired: true,
};

/** Gives statuses their names in a dialect: a replacer for `JSON.stringify`. */
export function statusReplacer({
  paymentStatuses,
  buyStatuses,
}: Dialect): (key: string, value: unknown) => unknown {
  const names: Record<string, ReadonlyMap<unknown, string>> = {
    payment_status: new Map(Object.entries(paymentStatuses)),
    buy_status: new Map(Object.entries(buyStatuses)),
  };
  return (key, value) => names[key]?.get(value) ?? value;
}
