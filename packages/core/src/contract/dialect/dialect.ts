import {
  type ErrorCode,
  type ErrorGroup,
  type ErrorShape,
  errors,
  fixedShapes,
  type OpenErrorGroup,
  openShapes,
} from '../errors.ts';
import { type FieldRule, type OrderInput, orderFields } from '../fields.ts';
import { headers } from '../headers.ts';
import { byPaymentGroup, type PaymentGroup, paymentKinds } from '../payment-kinds.ts';
import { type Operation, operations } from '../routes.ts';
import type { BuyStatus, PaymentStatus } from '../types.ts';

/** The routes that the interface only mentions or that this kit adds; the two that it specifies are always there. */
export type OptionalRoute = Exclude<Operation, 'listGames' | 'createOrder'>;

/**
 * How a service fills the interface's silence: one entry for each open point that a client can notice. What the
 * interface does say is in no dialect. Where no other source is named, an entry's default is this kit's choice.
 */
export interface Dialect {
  /** Which routes there are besides `GET /games` and `POST /order` (interface 4.3). */
  routes: Record<OptionalRoute, boolean>;
  /** Which of the bodies of interface 7.1 an error has whose body the interface doesn't show. */
  errorBodies: Record<OpenErrorGroup, ErrorShape>;
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

/** One body for all errors whose bodies the interface doesn't show. */
export const errorBodiesOf = (shape: ErrorShape): Dialect['errorBodies'] =>
  // Safe: the same keys.
  Object.fromEntries(Object.keys(openShapes).map((group) => [group, shape])) as Dialect['errorBodies'];

/** This kit's own reading of the silence: the default (open points). */
export const kitDialect: Dialect = {
  routes: { getGame: true, getCheckout: true, getInvoice: true, getPaymentStatus: true, validatePromo: true },
  errorBodies: openShapes,
  headers: { errorCode: true, requestId: true, rateLimit: true, retryAfter: true },
  idempotency: 'honoured',
  paymentStatuses: { PAID: 'PAID', EXPIRED: 'EXPIRED', FAILED: 'FAILED', REFUND: 'REFUND' },
  buyStatuses: { Proses: 'Proses', Sukses: 'Sukses', Gagal: 'Gagal', Batal: 'Batal' },
  emptyFields: 'documented',
  fieldOrder: [],
  messengerNumber: true,
  acceptRequired: false,
  expiryMinutes: byPaymentGroup((group) => paymentKinds[group].expiryMinutes),
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
  errorBodies: errorBodiesOf('message'),
  headers: { errorCode: false, requestId: false, rateLimit: false, retryAfter: false },
  idempotency: 'ignored',
  messengerNumber: false,
  acceptRequired: true,
};

/** The operations that a service of this dialect has; the two that the interface specifies are always among them. */
export const servedOperations = ({ routes }: Pick<Dialect, 'routes'>): Operation[] =>
  operations.filter((one) => one === 'listGames' || one === 'createOrder' || routes[one]);

/** Which body of interface 7.1 each error has. */
export function errorShapes({ errorBodies }: Pick<Dialect, 'errorBodies'>): (code: ErrorCode) => ErrorShape {
  const shapes: Record<ErrorGroup, ErrorShape> = { ...fixedShapes, ...errorBodies };
  return (code) => shapes[errors[code].group];
}

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

/** The headers of answers that a service of this dialect doesn't send. */
export function withheldHeaders({ headers: sent, idempotency }: Dialect): string[] {
  return [
    ...(sent.errorCode ? [] : [headers.errorCode]),
    ...(sent.requestId ? [] : [headers.requestId]),
    ...(sent.rateLimit ? [] : [headers.rateLimit, headers.rateLimitPolicy]),
    ...(sent.retryAfter ? [] : [headers.retryAfter]),
    ...(idempotency === 'honoured' ? [] : [headers.idempotencyKey, headers.idempotencyReplayed]),
  ];
}

/** The rules of an order's fields: to read a body by, and to check it by. */
export interface OrderRules {
  read: readonly FieldRule[];
  check: typeof orderFields;
}

const withoutAlias = ({ alias: _alias, ...rule }: FieldRule): FieldRule => rule;

/** Names of an order's fields in the order in which a dialect checks them; other names come last. */
export function inFieldOrder(
  names: readonly string[],
  { fieldOrder }: Pick<Dialect, 'fieldOrder'>,
): string[] {
  const order: string[] = [...fieldOrder, ...orderFields.map(({ name }) => name)];
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return names.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * The rules of an order as a dialect has them. Bodies are read in one order whatever the dialect, because the
 * fingerprint of an `Idempotency-Key` is made of what was read.
 */
export function orderRules(dialect: Dialect): OrderRules {
  const names = inFieldOrder(
    orderFields.map(({ name }) => name),
    dialect,
  );
  return {
    read: dialect.messengerNumber ? orderFields : orderFields.map(withoutAlias),
    // Safe: the same rules, in another order.
    check: names.flatMap((name) =>
      orderFields.filter((rule) => rule.name === name),
    ) as unknown as typeof orderFields,
  };
}

/** The longest that an order may wait for its payment: 366 days, in minutes (source: ours). */
export const mostExpiryMinutes = 366 * 24 * 60;

/** Whether an order can wait for its payment for so many minutes. */
export const isExpiryMinutes = (minutes: number): boolean =>
  Number.isInteger(minutes) && minutes >= 1 && minutes <= mostExpiryMinutes;

/** What an order's statuses start as; interface 3 names these, so that no dialect renames them. */
const first = { paymentStatuses: 'UNPAID', buyStatuses: 'Pending' } as const;

/** The names that a dialect gives to more than one status: a client could not tell those apart. */
export function ambiguousStatuses(
  entry: keyof typeof first,
  names: Dialect['paymentStatuses'] | Dialect['buyStatuses'],
): string[] {
  const all = [first[entry], ...Object.values(names)];
  return [...new Set(all.filter((name, index) => all.indexOf(name) !== index))];
}

/** What keeps a service from speaking a dialect; nothing for one that can be spoken. */
export function unservable(dialect: Dialect): string[] {
  const statuses = (['paymentStatuses', 'buyStatuses'] as const).flatMap((entry) =>
    ambiguousStatuses(entry, dialect[entry]).map(
      (name) => `dialect.${entry} gives ${name} to more than one status`,
    ),
  );
  const expiries = Object.entries(dialect.expiryMinutes)
    .filter(([, minutes]) => !isExpiryMinutes(minutes))
    .map(([group]) => `dialect.expiryMinutes.${group} must be whole minutes from 1 to ${mostExpiryMinutes}`);
  return [...statuses, ...expiries];
}
