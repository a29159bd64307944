import {
  completeDialect,
  type Dialect,
  interfaceOnlyDialect,
  kitDialect,
} from '../../../core/src/contract/index.ts';

/** Dialects that conform to the interface, and differ where it leaves a choice open. */
export const plausibleDialects: Record<string, Dialect> = {
  kit: kitDialect,
  'interface-only': interfaceOnlyDialect,
  'general envelopes': completeDialect({
    errorBodies: {
      notFound: 'envelope',
      promo: 'envelope',
      payment: 'envelope',
      orderFailed: 'envelope',
      idempotency: 'envelope',
      malformed: 'envelope',
      rateLimited: 'envelope',
    },
    emptyFields: 'absent',
    timezone: 'UTC',
  }),
  'field errors': completeDialect({
    errorBodies: { notFound: 'validation', promo: 'validation', payment: 'validation', http: 'message' },
    headers: { errorCode: false, requestId: false, etag: false },
    fieldOrder: ['whatsapp', 'quantity', 'game', 'id'],
    idempotency: 'ignored',
    acceptRequired: true,
    phoneNumbers: 'text',
    texts: 'kept',
  }),
  'other names': completeDialect({
    paymentStatuses: { PAID: 'paid', EXPIRED: 'expired', FAILED: 'cancelled', REFUND: 'refunded' },
    buyStatuses: { Proses: 'processing', Sukses: 'success', Gagal: 'failed', Batal: 'void' },
    emptyFields: 'null',
    idempotency: 'silent',
    messengerNumber: false,
    returnUrl: false,
    language: 'fixed',
    expiryMinutes: { QRIS: 10, 'E-Wallet': 15, 'Virtual Account': 120, Retail: 180, 'Bank Transfer': 240 },
    timezone: '+09:00',
  }),
  'only polling': completeDialect({
    routes: { getGame: false, getCheckout: false, getInvoice: false, validatePromo: false },
  }),
};
