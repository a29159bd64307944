import {
  byPaymentGroup,
  completeDialect,
  type DialectChanges,
  interfaceOnly,
} from '@topup-kit/core/contract';
import { createTopupMock, type TopupMock } from './create-topup-mock.ts';
import type { MockOptions } from './options.ts';

const everyError = (shape: 'message' | 'envelope' | 'validation'): DialectChanges['errorBodies'] => ({
  notFound: shape,
  promo: shape,
  payment: shape,
  orderFailed: shape,
  idempotency: shape,
  malformed: shape,
  rateLimited: shape,
  http: shape,
});

/** Services that the interface document allows as well as this kit's own: each reads its silence in another way. */
export const dialects = {
  /** This kit's own reading. */
  kit: {},
  /** Nothing but what the interface document states. */
  'interface-only': interfaceOnly,
  /** Every error that the interface leaves open is a message alone, as a framework's own are. */
  'messages alone': { errorBodies: everyError('message') },
  /** Every error that the interface leaves open has the general envelope. */
  'envelopes everywhere': { errorBodies: everyError('envelope') },
  /** Every error that the interface leaves open is told as that of a field. */
  'errors of fields': { errorBodies: everyError('validation') },
  /** It takes an `Idempotency-Key` for nothing: the same request twice is two orders. */
  'idempotency ignored': { idempotency: 'ignored' },
  /** It honours an `Idempotency-Key` and does not say so. */
  'idempotency in silence': { idempotency: 'silent' },
  /** No header that the interface doesn't have. */
  'no extension headers': {
    headers: { errorCode: false, requestId: false, rateLimit: false, retryAfter: false },
  },
  /** Other names for the statuses that the interface doesn't show. */
  'other statuses': {
    paymentStatuses: { PAID: 'SETTLED', EXPIRED: 'CANCELLED', FAILED: 'DENIED', REFUND: 'REFUNDED' },
    buyStatuses: { Proses: 'Processing', Sukses: 'Success', Gagal: 'Failed', Batal: 'Cancelled' },
  },
  /** A field without a value is null. */
  'empty fields are null': { emptyFields: 'null' },
  /** A field without a value is left out. */
  'empty fields are absent': { emptyFields: 'absent' },
  /** A strict one: `Accept` is required, `whatsapp` has no other name, fields are checked from their end. */
  strict: {
    acceptRequired: true,
    messengerNumber: false,
    fieldOrder: ['quantity', 'whatsapp', 'payment_method_id', 'product_id', 'game', 'id'],
  },
  /** Orders wait five minutes for their payment, and times are told in UTC. */
  'short expiry in UTC': {
    expiryMinutes: byPaymentGroup(() => 5),
    timezone: 'UTC',
  },
} as const satisfies Record<string, DialectChanges>;

export type DialectName = keyof typeof dialects;

/** Makes a mock that speaks one dialect, which its own options may change further; it has no profile. */
export type DialectMockFactory = (options?: Omit<MockOptions, 'profile'>) => TopupMock;

/**
 * Runs tests under every one of {@link dialects}: what passes here does not depend on how one service reads the
 * interface's silence.
 *
 * @example
 * forEachDialect((createMock, name) => {
 *   it(`places an order with ${name}`, async () => {
 *     const mock = createMock();
 *     expect(await checkout(mock.baseUrl, mock.apiKey, mock.fetch)).toBe('UNPAID');
 *   });
 * });
 */
export function forEachDialect(test: (createMock: DialectMockFactory, name: DialectName) => void): void {
  for (const [name, dialect] of Object.entries(dialects))
    test(
      (options) => {
        if (options && 'profile' in options)
          throw new TypeError(
            'Under forEachDialect a mock takes no profile: each speaks the dialect of its turn, and one of them is interface-only.',
          );
        return createTopupMock({
          ...options,
          dialect: completeDialect(options?.dialect ?? {}, completeDialect(dialect)),
        });
      },
      name as DialectName, // safe: a key of that table
    );
}
