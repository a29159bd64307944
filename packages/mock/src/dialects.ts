import {
  completeDialect,
  type DialectOverrides,
  errorBodiesOf,
  interfaceOnlyDialect,
  mapPaymentGroups,
} from '@topup-kit/core/contract';
import { createTopupMock, type TopupMock } from './create-topup-mock.ts';
import type { MockOptions } from './options.ts';

/** Dialects that the interface document allows. Each one makes different choices where the document leaves a choice open. */
export const dialects = {
  /** This kit's own choices. */
  kit: {},
  /** Only what the interface document states. */
  'interface-only': interfaceOnlyDialect,
  /** Error bodies that the interface leaves open have only a message. */
  'message only': { errorBodies: errorBodiesOf('message') },
  /** Error bodies that the interface leaves open have the shape of the general envelope. */
  'envelopes everywhere': { errorBodies: errorBodiesOf('envelope') },
  /** Error bodies that the interface leaves open have the shape of a validation error. */
  'field errors': { errorBodies: errorBodiesOf('validation') },
  /** The service ignores `Idempotency-Key`: repeating a request creates a second order. */
  'idempotency ignored': { idempotency: 'ignored' },
  /** The service honours `Idempotency-Key`, but its responses don't confirm it. */
  'silent idempotency': { idempotency: 'silent' },
  /** Responses have only the headers of the interface. */
  'no extension headers': {
    headers: { errorCode: false, requestId: false, rateLimit: false, retryAfter: false, etag: false },
  },
  /** Other names for the statuses that the interface doesn't show. */
  'other statuses': {
    paymentStatuses: { PAID: 'SETTLED', EXPIRED: 'CANCELLED', FAILED: 'DENIED', REFUND: 'REFUNDED' },
    buyStatuses: { Proses: 'Processing', Sukses: 'Success', Gagal: 'Failed', Batal: 'Cancelled' },
  },
  /** Empty fields are null. */
  'empty fields are null': { emptyFields: 'null' },
  /** Empty fields are left out. */
  'empty fields are absent': { emptyFields: 'absent' },
  /** `Accept` is required, `whatsapp` has no alias, and fields are checked in reverse order. */
  strict: {
    acceptRequired: true,
    messengerNumber: false,
    fieldOrder: ['quantity', 'whatsapp', 'payment_method_id', 'product_id', 'game', 'id'],
  },
  /** Orders expire after five minutes, and times are in UTC. */
  'short expiry in UTC': {
    expiryMinutes: mapPaymentGroups(() => 5),
    timezone: 'UTC',
  },
} as const satisfies Record<string, DialectOverrides>;

export type DialectName = keyof typeof dialects;

/** Creates a mock with one of the dialects, which the options may change further. The option `profile` is not allowed. */
export type CreateDialectMock = (options?: Omit<MockOptions, 'profile'>) => TopupMock;

/**
 * Runs tests with each of the {@link dialects}. An app that passes them doesn't depend on choices that the interface document leaves open.
 *
 * @example
 * forEachDialect((createMock, name) => {
 *   it(`places an order with ${name}`, async () => {
 *     const mock = createMock();
 *     expect(await checkout(mock.baseUrl, mock.apiKey, mock.fetch)).toBe('UNPAID');
 *   });
 * });
 */
export function forEachDialect(test: (createMock: CreateDialectMock, name: DialectName) => void): void {
  for (const [name, dialect] of Object.entries(dialects))
    test(
      (options) => {
        if (options && 'profile' in options)
          throw new TypeError(
            'forEachDialect does not allow the option profile: it sets the dialect of each mock, and one of them is interface-only.',
          );
        return createTopupMock({
          ...options,
          dialect: completeDialect(options?.dialect ?? {}, completeDialect(dialect)),
        });
      },
      name as DialectName, // Safe: the value is a key of the table.
    );
}
