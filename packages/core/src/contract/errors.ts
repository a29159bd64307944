import type { Source } from './source.ts';

export const locales = ['id', 'en'] as const;
/** Language of the messages; `id` is what the live services speak. */
export type Locale = (typeof locales)[number];
export type Localised = Record<Locale, string>;

/** Which of the bodies of interface 7.1 an error has. */
export type ErrorShape = 'message' | 'business' | 'validation' | 'envelope';

export interface ErrorDefinition {
  status: 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503;
  shape: ErrorShape;
  source: Source;
  /** Words in braces are filled in; a validation failure makes its message from its fields instead. */
  message: Localised;
  /** Seconds after which to try again, when that is known. */
  retryAfter?: number;
}

/** The one table of statuses, codes and messages that app, SDK and CLI read. Clients never parse a message. */
export const errors = {
  UNAUTHORIZED: {
    status: 401,
    shape: 'message',
    source: 'interface 5',
    message: { id: 'Unauthorized', en: 'Unauthorized' },
  },
  FORBIDDEN: {
    status: 403,
    shape: 'envelope',
    source: 'ours',
    message: {
      id: 'API key ini tidak memiliki izin {scope}.',
      en: 'This API key does not have the scope {scope}.',
    },
  },
  VALIDATION_ERROR: {
    status: 422,
    shape: 'validation',
    source: 'interface 7.1',
    message: { id: '{summary}', en: '{summary}' },
  },
  MALFORMED_JSON: {
    status: 422,
    shape: 'validation',
    source: 'ours',
    message: { id: '{summary}', en: '{summary}' },
  },
  GAME_NOT_FOUND: {
    status: 404,
    shape: 'business',
    source: 'live',
    message: { id: 'Game tidak ditemukan.', en: 'Game not found.' },
  },
  PRODUCT_NOT_FOUND: {
    status: 404,
    shape: 'business',
    source: 'live',
    message: { id: 'Produk tidak ditemukan.', en: 'Product not found.' },
  },
  PRODUCT_GAME_MISMATCH: {
    status: 422,
    shape: 'business',
    source: 'live',
    message: {
      id: 'Produk tidak sesuai dengan game yang dipilih.',
      en: 'The product does not belong to the chosen game.',
    },
  },
  PAYMENT_METHOD_NOT_FOUND: {
    status: 404,
    shape: 'business',
    source: 'live',
    message: { id: 'Metode pembayaran tidak ditemukan.', en: 'Payment method not found.' },
  },
  PROMO_NOT_FOUND: {
    status: 422,
    shape: 'business',
    source: 'live',
    message: { id: 'Kode promo tidak ditemukan.', en: 'Promo code not found.' },
  },
  PROMO_INACTIVE: {
    status: 422,
    shape: 'business',
    source: 'ours',
    message: { id: 'Kode promo sudah tidak aktif.', en: 'The promo code is no longer active.' },
  },
  PROMO_NOT_STARTED: {
    status: 422,
    shape: 'business',
    source: 'ours',
    message: { id: 'Kode promo belum dimulai.', en: 'The promo code has not started yet.' },
  },
  PROMO_EXPIRED: {
    status: 422,
    shape: 'business',
    source: 'ours',
    message: { id: 'Kode promo sudah kedaluwarsa.', en: 'The promo code has expired.' },
  },
  PROMO_QUOTA: {
    status: 422,
    shape: 'business',
    source: 'ours',
    message: { id: 'Kuota kode promo sudah habis.', en: 'The promo code has been used up.' },
  },
  PROMO_USED: {
    status: 422,
    shape: 'business',
    source: 'ours',
    message: { id: 'Kode promo sudah pernah digunakan.', en: 'The promo code has already been used.' },
  },
  PROMO_MINIMUM: {
    status: 422,
    shape: 'business',
    source: 'ours',
    message: {
      id: 'Minimal pembelian {minimum} tidak terpenuhi.',
      en: 'The minimum purchase of {minimum} is not met.',
    },
  },
  PROMO_NOT_ELIGIBLE: {
    status: 422,
    shape: 'business',
    source: 'live',
    message: {
      id: 'Kode promo tidak berlaku untuk {subject}.',
      en: 'The promo code is not valid for {subject}.',
    },
  },
  PAYMENT_LIMIT: {
    status: 422,
    shape: 'business',
    source: 'ours',
    message: {
      id: 'Total pembayaran dengan {method} harus antara {minimum} dan {maximum}.',
      en: 'The total paid with {method} must be between {minimum} and {maximum}.',
    },
  },
  PAYMENT_METHOD_BUSY: {
    status: 422,
    shape: 'business',
    source: 'ours',
    message: {
      id: 'Metode pembayaran sedang sibuk. Coba lagi nanti atau pilih metode lain.',
      en: 'The payment method is busy. Try again later or choose another one.',
    },
  },
  INVOICE_NOT_FOUND: {
    status: 404,
    shape: 'business',
    source: 'live',
    message: { id: 'Invoice tidak ditemukan.', en: 'Invoice not found.' },
  },
  RECONCILIATION_NOT_FOUND: {
    status: 404,
    shape: 'envelope',
    source: 'ours',
    message: {
      id: 'Pembayaran yang perlu dicocokkan tidak ditemukan.',
      en: 'There is no such open payment to reconcile.',
    },
  },
  PAYMENT_FAILED: {
    status: 500,
    shape: 'business',
    source: 'interface 7.2',
    message: { id: 'Gagal membuat transaksi pembayaran.', en: 'The payment could not be created.' },
  },
  SAVE_FAILED: {
    status: 500,
    shape: 'business',
    source: 'interface 7.2',
    message: { id: 'Gagal menyimpan pesanan.', en: 'The order could not be saved.' },
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    shape: 'business',
    source: 'live',
    message: {
      id: 'Idempotency-Key sudah dipakai untuk payload yang berbeda.',
      en: 'The Idempotency-Key was already used for a different payload.',
    },
  },
  IDEMPOTENCY_IN_FLIGHT: {
    status: 409,
    shape: 'business',
    source: 'ours',
    retryAfter: 1,
    message: {
      id: 'Permintaan dengan Idempotency-Key ini masih diproses.',
      en: 'A request with this Idempotency-Key is still being processed.',
    },
  },
  STATE_CONFLICT: {
    status: 409,
    shape: 'envelope',
    source: 'ours',
    message: {
      id: 'Tidak bisa dilakukan: pesanan ini {payment} / {buy}.',
      en: 'That can not be done: the order is {payment} / {buy}.',
    },
  },
  RATE_LIMITED: {
    status: 429,
    shape: 'message',
    source: 'laravel',
    message: { id: 'Too Many Attempts.', en: 'Too Many Attempts.' },
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    shape: 'envelope',
    source: 'ours',
    message: {
      id: 'Ukuran body melebihi {maximum} byte.',
      en: 'The request body is larger than {maximum} bytes.',
    },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    shape: 'envelope',
    source: 'ours',
    message: {
      id: 'Content-Type harus application/json.',
      en: 'The Content-Type must be application/json.',
    },
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    shape: 'envelope',
    source: 'ours',
    message: {
      id: 'Metode {method} tidak didukung untuk alamat ini.',
      en: 'The method {method} is not supported here.',
    },
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    shape: 'envelope',
    source: 'ours',
    message: { id: 'Alamat tidak ditemukan.', en: 'There is nothing at this address.' },
  },
  SERVER_ERROR: {
    status: 500,
    shape: 'envelope',
    source: 'ours',
    message: { id: 'Terjadi kesalahan pada server.', en: 'Something went wrong on the server.' },
  },
  UNAVAILABLE: {
    status: 503,
    shape: 'envelope',
    source: 'ours',
    message: { id: 'Layanan sedang tidak tersedia.', en: 'The service is unavailable right now.' },
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errors;

/** What a promo can be refused for under `PROMO_NOT_ELIGIBLE`, in words. */
export const promoSubjects = {
  game: { id: 'game ini', en: 'this game' },
  product: { id: 'produk ini', en: 'this product' },
  paymentMethod: { id: 'metode pembayaran ini', en: 'this payment method' },
} as const satisfies Record<string, Localised>;

/** The message of a promo code that can be used. */
export const promoValidMessage: Localised = {
  id: 'Kode promo dapat digunakan.',
  en: 'The promo code can be used.',
};

/** The message of a 201 (source: live). */
export const orderCreatedMessage: Localised = {
  id: 'Pesanan berhasil dibuat.',
  en: 'The order was created.',
};
