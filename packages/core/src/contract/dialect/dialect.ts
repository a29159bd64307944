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
import {
  type BuyStatus,
  buyStatuses,
  type PaymentGroup,
  type PaymentStatus,
  paymentStatuses,
} from '../generated/types.ts';
import { headers } from '../headers.ts';
import { mapPaymentGroups, paymentKinds } from '../payment-kinds.ts';
import { type Operation, operations } from '../routes.ts';

/** Routes that the interface only mentions or that this kit adds. The two routes that the interface specifies are not optional. */
type OptionalRoute = Exclude<Operation, 'listGames' | 'createOrder'>;

/**
 * A dialect: a service's behaviour where the interface document leaves a choice open. It has one entry for each open point that a client
 * can notice, and none for statements of the interface. The defaults come from live services where a source is named, and are this kit's
 * choices otherwise.
 */
export interface Dialect {
  /** True for each optional route that exists (interface 4.3). `GET /games` and `POST /order` always exist. */
  routes: Record<OptionalRoute, boolean>;
  /** The error shape (interface 7.1) of each group of errors whose body the interface doesn't show. */
  errorBodies: Record<OpenErrorGroup, ErrorShape>;
  /** True for each of these headers that responses have. The interface doesn't define them. */
  headers: {
    /** `X-Error-Code`. */
    errorCode: boolean;
    /** `X-Request-Id`. */
    requestId: boolean;
    /** `RateLimit` and `RateLimit-Policy`. */
    rateLimit: boolean;
    /** `Retry-After`. */
    retryAfter: boolean;
    /** `ETag` on catalogue responses, and 304 for a client that has the same version. */
    etag: boolean;
  };
  /**
   * Support for `Idempotency-Key`. `honoured`: repeating a request creates no second order, and response headers confirm it. `silent`: the
   * same, without response headers. `ignored`: repeating a request creates a second order.
   */
  idempotency: 'honoured' | 'silent' | 'ignored';
  /** Names of payment statuses, except `UNPAID` (interface 3). */
  paymentStatuses: Record<Exclude<PaymentStatus, 'UNPAID'>, string>;
  /** Names of buy statuses, except `Pending` (interface 3). */
  buyStatuses: Record<Exclude<BuyStatus, 'Pending'>, string>;
  /**
   * The form of empty fields where the interface doesn't define one. `documented`: some are null and others are left out, as described in
   * `docs/open-points.md`. `null`: all are null. `absent`: all are left out.
   */
  emptyFields: 'documented' | 'null' | 'absent';
  /** The sequence in which an order's fields are checked. Other fields follow in the sequence of interface 4.2. */
  fieldOrder: readonly (keyof OrderInput)[];
  /** True if `messenger_number` is accepted as an alias of `whatsapp` (interface 4.2). */
  messengerNumber: boolean;
  /** True if `return_url` and other extension fields are read; otherwise they are ignored like any unknown field. */
  returnUrl: boolean;
  /** `checked`: `whatsapp` must be a phone number. `text`: any text is accepted (interface 4.2). */
  phoneNumbers: 'checked' | 'text';
  /**
   * The treatment of texts. `cleaned`: invisible characters are removed, spaces and digits are normalised, and control characters are
   * rejected (`docs/open-points.md`). `kept`: texts are only trimmed.
   */
  texts: 'cleaned' | 'kept';
  /**
   * The language of messages. `requested`: the language of `Accept-Language`, if the service has it; `Content-Language` and `Vary`
   * confirm it. `fixed`: the deployment's own language, without these headers.
   */
  language: 'requested' | 'fixed';
  /** True to reject requests whose `Accept` header excludes JSON (interface 4). */
  acceptRequired: boolean;
  /** An order's time to pay in minutes (interface 8). */
  expiryMinutes: Record<PaymentGroup, number>;
  /** Time zone of times in responses: an IANA name or an offset such as `+07:00`; null for the deployment's own zone. */
  timezone: string | null;
}

/** Creates an object with the same keys, all with one value. */
const all = <Key extends string, Value>(keys: Record<Key, unknown>, value: Value): Record<Key, Value> =>
  // Safe: the keys are the same.
  Object.fromEntries(Object.keys(keys).map((key) => [key, value])) as Record<Key, Value>;

/** Assigns one shape to all errors whose body the interface doesn't show. */
export const errorBodiesOf = (shape: ErrorShape): Dialect['errorBodies'] => all(openShapes, shape);

/** This kit's own choices (`docs/open-points.md`), which are the default. */
export const kitDialect: Dialect = {
  routes: {
    getGame: true,
    getCheckout: true,
    listOrders: true,
    getInvoice: true,
    getPaymentStatus: true,
    validatePromo: true,
    checkAccount: true,
    listEvents: true,
  },
  errorBodies: openShapes,
  headers: { errorCode: true, requestId: true, rateLimit: true, retryAfter: true, etag: true },
  idempotency: 'honoured',
  paymentStatuses: { PAID: 'PAID', EXPIRED: 'EXPIRED', FAILED: 'FAILED', REFUND: 'REFUND' },
  buyStatuses: { Proses: 'Proses', Sukses: 'Sukses', Gagal: 'Gagal', Batal: 'Batal' },
  emptyFields: 'documented',
  fieldOrder: [],
  messengerNumber: true,
  returnUrl: true,
  phoneNumbers: 'checked',
  texts: 'cleaned',
  language: 'requested',
  acceptRequired: false,
  expiryMinutes: mapPaymentGroups((group) => paymentKinds[group].expiryMinutes),
  timezone: null,
};

/** The profile `interface-only`: only statements of the interface document (`docs/open-points.md`, profiles). */
export const interfaceOnlyDialect: Dialect = {
  ...kitDialect,
  routes: all(kitDialect.routes, false),
  // All shapes of interface 7.1 have `message`.
  errorBodies: errorBodiesOf('message'),
  headers: all(kitDialect.headers, false),
  idempotency: 'ignored',
  messengerNumber: false,
  returnUrl: false,
  language: 'fixed',
  acceptRequired: true,
};

/** Returns the operations of a service with this dialect, including the two that the interface specifies. */
export const servedOperations = ({ routes }: Pick<Dialect, 'routes'>): Operation[] =>
  operations.filter(
    (operation) => operation === 'listGames' || operation === 'createOrder' || routes[operation],
  );

/** Creates a function that returns each error's shape (interface 7.1). */
export function errorShapes({ errorBodies }: Pick<Dialect, 'errorBodies'>): (code: ErrorCode) => ErrorShape {
  const shapes: Record<ErrorGroup, ErrorShape> = { ...fixedShapes, ...errorBodies };
  return (code) => shapes[errors[code].group];
}

/** Creates a replacer for `JSON.stringify` that writes statuses by their names in a dialect. */
export function statusReplacer(dialect: Dialect): (key: string, value: unknown) => unknown {
  const names: ReadonlyMap<string, ReadonlyMap<unknown, string>> = new Map(
    Object.entries<ReadonlyMap<unknown, string>>({
      payment_status: new Map(Object.entries(dialect.paymentStatuses)),
      buy_status: new Map(Object.entries(dialect.buyStatuses)),
    }),
  );
  return (key, value) => names.get(key)?.get(value) ?? value;
}

/** Returns the statuses by their names in a dialect, for filters. */
export function statusesByName(dialect: Dialect): {
  payment: ReadonlyMap<string, PaymentStatus>;
  buy: ReadonlyMap<string, BuyStatus>;
} {
  const payment: Record<PaymentStatus, string> = { UNPAID: 'UNPAID', ...dialect.paymentStatuses };
  const buy: Record<BuyStatus, string> = { Pending: 'Pending', ...dialect.buyStatuses };
  return {
    payment: new Map(paymentStatuses.map((status) => [payment[status], status])),
    buy: new Map(buyStatuses.map((status) => [buy[status], status])),
  };
}

/** Returns the response headers that a service with this dialect doesn't send. */
export function withheldHeaders({ headers: sent, idempotency, language }: Dialect): string[] {
  return [
    ...(sent.errorCode ? [] : [headers.errorCode]),
    ...(sent.requestId ? [] : [headers.requestId]),
    ...(sent.rateLimit ? [] : [headers.rateLimit, headers.rateLimitPolicy]),
    ...(sent.retryAfter ? [] : [headers.retryAfter]),
    ...(sent.etag ? [] : [headers.etag]),
    ...(language === 'requested' ? [] : [headers.contentLanguage, headers.vary]),
    ...(idempotency === 'honoured'
      ? []
      : [
          headers.idempotencyKey,
          headers.idempotencyReplayed,
          headers.idempotencyOrder,
          headers.idempotencySupported,
        ]),
  ];
}

/** Rules for reading and validating the fields of an order. */
interface OrderRules {
  read: readonly FieldRule[];
  /** The rules for reading that applied before texts were cleaned. */
  formerly: readonly FieldRule[];
  check: typeof orderFields;
}

const withoutAlias = ({ alias: _alias, ...rule }: FieldRule): FieldRule => rule;

/** Adapts the rules of fields to a dialect, which may accept any text as a phone number, or any character. */
export const rulesIn = <const Rules extends readonly FieldRule[]>(
  rules: Rules,
  { phoneNumbers, texts }: Pick<Dialect, 'phoneNumbers'> & { texts: Dialect['texts'] | 'trimmed' },
): Rules =>
  phoneNumbers === 'checked' && texts === 'cleaned'
    ? rules
    : // Safe: neither a text's format nor its reading changes the type of its value.
      (rules.map((rule) => {
        if (rule.type !== 'string') return rule;
        const { format, ...anyText } = rule;
        const isAny = format === undefined || (format === 'phone' && phoneNumbers === 'text');
        return {
          ...anyText,
          ...(!isAny && { format }),
          ...(texts !== 'cleaned' && { text: texts }),
        };
      }) as unknown as Rules);

/** Sorts the names of an order's fields by the sequence in which a dialect checks them; other names follow. */
export function inFieldOrder(
  names: readonly string[],
  { fieldOrder }: Pick<Dialect, 'fieldOrder'>,
): string[] {
  const order: string[] = [...fieldOrder, ...orderFields.map(({ name }) => name)];
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return names.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * Returns the rules of an order in a dialect. Every dialect reads fields in the same sequence, because the fingerprint of an idempotent
 * request depends on it.
 */
export function orderRules(dialect: Dialect): OrderRules {
  const names = inFieldOrder(
    orderFields.map(({ name }) => name),
    dialect,
  );
  const read: readonly FieldRule[] = rulesIn(orderFields, dialect).filter(
    ({ source }) => dialect.returnUrl || source !== 'ours',
  );
  const known = dialect.messengerNumber ? read : read.map(withoutAlias);
  return {
    read: known,
    formerly: rulesIn(known, { ...dialect, texts: 'trimmed' }),
    // Safe: these are the same rules in another sequence.
    check: rulesIn(
      names.flatMap((name) => orderFields.filter((rule) => rule.name === name)),
      dialect,
    ) as unknown as typeof orderFields,
  };
}

/** The maximum payment expiry: 366 days, in minutes (source: ours). */
export const maxExpiryMinutes = 366 * 24 * 60;

/** Tells whether a payment expiry, in minutes, is allowed. */
export const isExpiryMinutes = (minutes: number): boolean =>
  Number.isInteger(minutes) && minutes >= 1 && minutes <= maxExpiryMinutes;

/** The initial statuses of an order. Interface 3 names them, so no dialect renames them. */
const initial = { paymentStatuses: 'UNPAID', buyStatuses: 'Pending' } as const;

/** Returns names that a dialect gives to more than one status, which clients could not distinguish. */
export function ambiguousStatuses(
  entry: keyof typeof initial,
  names: Dialect['paymentStatuses'] | Dialect['buyStatuses'],
): string[] {
  const all = [initial[entry], ...Object.values(names)];
  return [...new Set(all.filter((name, index) => all.indexOf(name) !== index))];
}

/** Finds errors in a dialect that make it unusable; empty for a valid dialect. */
export function dialectProblems(dialect: Dialect): string[] {
  const statuses = (['paymentStatuses', 'buyStatuses'] as const).flatMap((entry) =>
    ambiguousStatuses(entry, dialect[entry]).map(
      (name) => `dialect.${entry} gives ${name} to more than one status`,
    ),
  );
  const expiries = Object.entries(dialect.expiryMinutes)
    .filter(([, minutes]) => !isExpiryMinutes(minutes))
    .map(([group]) => `dialect.expiryMinutes.${group} must be whole minutes from 1 to ${maxExpiryMinutes}`);
  return [...statuses, ...expiries];
}
