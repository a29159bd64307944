import type { OrderInput } from './fields.ts';
import type { Localised } from './locale.ts';
import type { Source } from './schema-docs.ts';

/** The shapes of an error body (interface 7.1). */
export type ErrorShape = 'message' | 'business' | 'validation' | 'envelope';

/** Groups of errors whose bodies the interface doesn't show, with this kit's shapes. A dialect may choose others. */
export const openShapes = {
  /** 404 for a missing or closed game, product, payment method or invoice. */
  notFound: 'business',
  /** 422 for a promo code. */
  promo: 'business',
  /** 422 for an amount outside the payment method's limits, or if no unique code is free. */
  payment: 'business',
  /** 500 for an order whose payment or storage failed. */
  orderFailed: 'business',
  /** 409 for an `Idempotency-Key`. */
  idempotency: 'business',
  /** 422 for a body that is not a JSON object. */
  malformed: 'validation',
  /** 429. */
  rateLimited: 'message',
  /** HTTP errors that the interface doesn't have: 403, 404 for a route, 405, 413, 415, 500, 503. */
  http: 'envelope',
} as const satisfies Record<string, ErrorShape>;

/** Groups of errors with the same shape in every dialect. */
export const fixedShapes = {
  /** 401 (interface 7.1). */
  authentication: 'message',
  /** 422 for invalid fields (interface 7.1). */
  validation: 'validation',
  /** 422 for a product of another game (interface 7.1). */
  mismatch: 'business',
  /** Errors of operators' commands and of a sandbox's control routes, outside the interface. */
  control: 'envelope',
} as const satisfies Record<string, ErrorShape>;

export type OpenErrorGroup = keyof typeof openShapes;
export type ErrorGroup = OpenErrorGroup | keyof typeof fixedShapes;

/** The values of `{subject}` in the message of `PROMO_NOT_ELIGIBLE`. */
export const promoSubjects = {
  game: { id: 'game ini', en: 'this game' },
  product: { id: 'produk ini', en: 'this product' },
  paymentMethod: { id: 'metode pembayaran ini', en: 'this payment method' },
} as const satisfies Record<string, Localised>;

/** A placeholder's value: text, an amount in the smallest unit, or the subject of a promo error. */
export type MessageParam = string | { money: number } | { subject: keyof typeof promoSubjects };

export interface ErrorDefinition {
  status: 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503;
  /** Determines the shape of the body. */
  group: ErrorGroup;
  source: Source;
  /** The field at fault, for dialects that report the error in the validation shape. */
  field?: keyof OrderInput | 'body';
  /** Placeholders are in braces. `{summary}` summarises the messages by field. */
  message: Localised;
  /** Replaces the message outside the interface; may also contain the request's `{path}` and the interface's `{basePath}`. */
  outside?: Localised;
  /** An example value for each placeholder, which also determines its type. An `orderId` is also in a field of the body and in a header. */
  params?: Readonly<Record<string, MessageParam>>;
  /** Seconds after which to try again, if known. */
  retryAfter?: number;
}

type PlaceholderIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholderIn<Rest>
  : never;

type ParamOf<Definition extends ErrorDefinition> = Definition extends { params: infer Params }
  ? keyof Params
  : Definition['group'] extends 'validation' | 'malformed'
    ? 'summary'
    : never;

type Same<A, B> = [A, B] extends [B, A] ? unknown : 'its params are not the placeholders of its messages';

/** Compiles only if each error's `params` match the placeholders of its message in every language. */
const checked = <const Table extends Record<string, ErrorDefinition>>(
  table: Table & {
    [Code in keyof Table]: Same<ParamOf<Table[Code]>, PlaceholderIn<Table[Code]['message']['id']>> &
      Same<ParamOf<Table[Code]>, PlaceholderIn<Table[Code]['message']['en']>>;
  },
): Table => table;

/** The table of error codes, statuses and messages. Clients must not parse messages. */
export const errors = /* @__PURE__ */ checked({
  UNAUTHORIZED: {
    status: 401,
    group: 'authentication',
    source: 'interface 5',
    message: { id: 'Unauthorized', en: 'Unauthorized' },
  },
  FORBIDDEN: {
    status: 403,
    group: 'http',
    source: 'ours',
    message: {
      id: 'API key ini tidak memiliki izin {scope}.',
      en: 'This API key does not have the scope {scope}.',
    },
    params: { scope: 'orders:write' },
  },
  VALIDATION_ERROR: {
    status: 422,
    group: 'validation',
    source: 'interface 7.1',
    message: { id: '{summary}', en: '{summary}' },
  },
  MALFORMED_JSON: {
    status: 422,
    group: 'malformed',
    source: 'ours',
    field: 'body',
    message: { id: '{summary}', en: '{summary}' },
  },
  GAME_NOT_FOUND: {
    status: 404,
    group: 'notFound',
    source: 'live',
    field: 'game',
    message: { id: 'Game tidak ditemukan.', en: 'Game not found.' },
  },
  GAME_CLOSED: {
    status: 404,
    group: 'notFound',
    source: 'ours',
    field: 'game',
    message: { id: 'Game ini sedang ditutup.', en: 'This game is closed right now.' },
  },
  PRODUCT_NOT_FOUND: {
    status: 404,
    group: 'notFound',
    source: 'live',
    field: 'product_id',
    message: { id: 'Produk tidak ditemukan.', en: 'Product not found.' },
  },
  PRODUCT_CLOSED: {
    status: 404,
    group: 'notFound',
    source: 'ours',
    field: 'product_id',
    message: { id: 'Produk ini sedang tidak dijual.', en: 'This product is not for sale right now.' },
  },
  PRODUCT_OUT_OF_STOCK: {
    status: 404,
    group: 'notFound',
    source: 'ours',
    field: 'product_id',
    message: { id: 'Stok produk ini sedang habis.', en: 'This product is out of stock right now.' },
  },
  PRODUCT_GAME_MISMATCH: {
    status: 422,
    group: 'mismatch',
    source: 'live',
    message: {
      id: 'Produk tidak sesuai dengan game yang dipilih.',
      en: 'The product does not belong to the chosen game.',
    },
  },
  PAYMENT_METHOD_NOT_FOUND: {
    status: 404,
    group: 'notFound',
    source: 'live',
    field: 'payment_method_id',
    message: { id: 'Metode pembayaran tidak ditemukan.', en: 'Payment method not found.' },
  },
  PAYMENT_METHOD_CLOSED: {
    status: 404,
    group: 'notFound',
    source: 'ours',
    field: 'payment_method_id',
    message: { id: 'Metode pembayaran ini sedang ditutup.', en: 'This payment method is closed right now.' },
  },
  PROMO_NOT_FOUND: {
    status: 422,
    group: 'promo',
    source: 'live',
    field: 'promo_code',
    message: { id: 'Kode promo tidak ditemukan.', en: 'Promo code not found.' },
  },
  PROMO_INACTIVE: {
    status: 422,
    group: 'promo',
    source: 'ours',
    field: 'promo_code',
    message: { id: 'Kode promo sudah tidak aktif.', en: 'The promo code is no longer active.' },
  },
  PROMO_NOT_STARTED: {
    status: 422,
    group: 'promo',
    source: 'ours',
    field: 'promo_code',
    message: { id: 'Kode promo belum dimulai.', en: 'The promo code has not started yet.' },
  },
  PROMO_EXPIRED: {
    status: 422,
    group: 'promo',
    source: 'ours',
    field: 'promo_code',
    message: { id: 'Kode promo sudah kedaluwarsa.', en: 'The promo code has expired.' },
  },
  PROMO_QUOTA: {
    status: 422,
    group: 'promo',
    source: 'ours',
    field: 'promo_code',
    message: { id: 'Kuota kode promo sudah habis.', en: 'The promo code has been used up.' },
  },
  PROMO_USED: {
    status: 422,
    group: 'promo',
    source: 'ours',
    field: 'promo_code',
    message: { id: 'Kode promo sudah pernah digunakan.', en: 'The promo code has already been used.' },
  },
  PROMO_MINIMUM: {
    status: 422,
    group: 'promo',
    source: 'ours',
    field: 'promo_code',
    message: {
      id: 'Minimal pembelian {minimum} tidak terpenuhi.',
      en: 'The minimum purchase of {minimum} is not met.',
    },
    params: { minimum: { money: 50_000 } },
  },
  PROMO_NOT_ELIGIBLE: {
    status: 422,
    group: 'promo',
    source: 'live',
    field: 'promo_code',
    message: {
      id: 'Kode promo tidak berlaku untuk {subject}.',
      en: 'The promo code is not valid for {subject}.',
    },
    params: { subject: { subject: 'paymentMethod' } },
  },
  PAYMENT_LIMIT: {
    status: 422,
    group: 'payment',
    source: 'ours',
    field: 'payment_method_id',
    message: {
      id: 'Total pembayaran dengan {method} harus antara {minimum} dan {maximum}.',
      en: 'The total paid with {method} must be between {minimum} and {maximum}.',
    },
    params: {
      method: 'BRI Virtual Account',
      minimum: { money: 10_000 },
      maximum: { money: 10_000_000 },
    },
  },
  PAYMENT_METHOD_BUSY: {
    status: 422,
    group: 'payment',
    source: 'ours',
    field: 'payment_method_id',
    message: {
      id: 'Metode pembayaran sedang sibuk. Coba lagi nanti atau pilih metode lain.',
      en: 'The payment method is busy. Try again later or choose another one.',
    },
  },
  INVOICE_NOT_FOUND: {
    status: 404,
    group: 'notFound',
    source: 'live',
    message: { id: 'Invoice tidak ditemukan.', en: 'Invoice not found.' },
  },
  RECONCILIATION_NOT_FOUND: {
    status: 404,
    group: 'control',
    source: 'ours',
    message: {
      id: 'Pembayaran yang perlu dicocokkan tidak ditemukan.',
      en: 'There is no such open payment to reconcile.',
    },
  },
  PAYMENT_FAILED: {
    status: 500,
    group: 'orderFailed',
    source: 'interface 7.2',
    message: { id: 'Gagal membuat transaksi pembayaran.', en: 'The payment could not be created.' },
  },
  SAVE_FAILED: {
    status: 500,
    group: 'orderFailed',
    source: 'interface 7.2',
    message: { id: 'Gagal menyimpan pesanan.', en: 'The order could not be saved.' },
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    group: 'idempotency',
    source: 'live',
    message: {
      id: 'Idempotency-Key sudah dipakai untuk payload yang berbeda.',
      en: 'The Idempotency-Key was already used for a different payload.',
    },
  },
  IDEMPOTENCY_KEY_USED: {
    status: 409,
    group: 'idempotency',
    source: 'ours',
    message: {
      id: 'Idempotency-Key ini sudah dipakai untuk pesanan {orderId}.',
      en: 'This Idempotency-Key was already used for the order {orderId}.',
    },
    params: { orderId: 'INV-20260328100000-DVHHEMKC' },
  },
  IDEMPOTENCY_IN_FLIGHT: {
    status: 409,
    group: 'idempotency',
    source: 'ours',
    retryAfter: 1,
    message: {
      id: 'Permintaan dengan Idempotency-Key ini masih diproses.',
      en: 'A request with this Idempotency-Key is still being processed.',
    },
  },
  STATE_CONFLICT: {
    status: 409,
    group: 'control',
    source: 'ours',
    message: {
      id: 'Tidak bisa dilakukan: pesanan ini {payment} / {buy}.',
      en: 'An order that is {payment} / {buy} does not allow this.',
    },
    params: { payment: 'PAID', buy: 'Sukses' },
  },
  RATE_LIMITED: {
    status: 429,
    group: 'rateLimited',
    source: 'laravel',
    message: { id: 'Too Many Attempts.', en: 'Too Many Attempts.' },
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    group: 'http',
    source: 'ours',
    message: {
      id: 'Ukuran body melebihi {maximum} byte.',
      en: 'The request body is larger than {maximum} bytes.',
    },
    params: { maximum: '65536' },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    group: 'http',
    source: 'ours',
    message: {
      id: 'Content-Type harus application/json.',
      en: 'The Content-Type must be application/json.',
    },
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    group: 'http',
    source: 'ours',
    message: {
      id: 'Metode {method} tidak didukung untuk alamat ini.',
      en: 'The method {method} is not supported here.',
    },
    params: { method: 'PUT' },
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    group: 'http',
    source: 'ours',
    message: { id: 'Alamat tidak ditemukan.', en: 'There is nothing at this address.' },
    outside: {
      id: 'Tidak ada apa pun di {path}. API berada di bawah {basePath}.',
      en: 'There is nothing at {path}. The API is below {basePath}.',
    },
  },
  SERVER_ERROR: {
    status: 500,
    group: 'http',
    source: 'ours',
    message: { id: 'Terjadi kesalahan pada server.', en: 'Something went wrong on the server.' },
  },
  UNAVAILABLE: {
    status: 503,
    group: 'http',
    source: 'ours',
    message: { id: 'Layanan sedang tidak tersedia.', en: 'The service is unavailable right now.' },
  },
} as const satisfies Record<string, ErrorDefinition>);

export type ErrorCode = keyof typeof errors;

/** Tells whether the message summarises messages about fields. */
export function isAboutFields(code: ErrorCode): boolean {
  const { group }: ErrorDefinition = errors[code];
  return group === 'validation' || group === 'malformed';
}

/** Tells whether the message depends on the language. Some messages don't, such as `Unauthorized`. A summary of field messages always does. */
export function dependsOnLanguage(code: ErrorCode): boolean {
  const { message }: ErrorDefinition = errors[code];
  return message.id !== message.en || isAboutFields(code);
}

/** The success message of a promo validation. */
export const promoValidMessage: Localised = {
  id: 'Kode promo dapat digunakan.',
  en: 'The promo code can be used.',
};

/** The message of a 201 (source: live). */
export const orderCreatedMessage: Localised = {
  id: 'Pesanan berhasil dibuat.',
  en: 'The order was created.',
};

/** The error codes in a group. */
export type ErrorCodeIn<Group extends ErrorGroup> = {
  [Code in ErrorCode]: (typeof errors)[Code]['group'] extends Group ? Code : never;
}[ErrorCode];

/** The error codes in a group, in the order of the table. */
export const errorCodesIn = <Group extends ErrorGroup>(group: Group): ErrorCodeIn<Group>[] =>
  // Safe: these are the keys of a constant table.
  (Object.keys(errors) as ErrorCode[]).filter(
    (code): code is ErrorCodeIn<Group> => errors[code].group === group,
  );
