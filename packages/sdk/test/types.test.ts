import {
  createTopupClient,
  type Fetch,
  isTopupError,
  type OrderRequest,
  type TopupAbortError,
  type TopupClient,
  type TopupHttpError,
  type TopupTimeoutError,
} from '@topup-kit/sdk';
import { describe, expectTypeOf, it } from 'vitest';

type Created = Awaited<ReturnType<TopupClient['orders']['create']>>;
type Polled = Awaited<ReturnType<TopupClient['invoices']['paymentStatus']>>;

/** Checked by tsc; nothing in here runs. */
const never = (_check: (client: TopupClient, request: OrderRequest) => unknown): void => {};

describe('answers', () => {
  it('have the fields of the wire', () => {
    expectTypeOf<Created['data']['pricing']['total_price']>().toEqualTypeOf<number>();
    expectTypeOf<Created['data']['qr_url']>().toEqualTypeOf<string | null>();
    expectTypeOf<Created['success']>().toEqualTypeOf<true>();
    // @ts-expect-error a misspelt field
    never(async (client, request) => (await client.orders.create(request)).data.totalPrice);
  });

  it('take statuses that nobody knows yet', () => {
    expectTypeOf<Created['data']['payment_status']>().toEqualTypeOf<
      'UNPAID' | 'PAID' | 'EXPIRED' | 'FAILED' | 'REFUND' | (string & {})
    >();
    expectTypeOf<'DISPUTED'>().toExtend<Polled['data']['buy_status']>();
  });
});

describe('requests', () => {
  it('are strict', () => {
    never((client, request) => [
      // @ts-expect-error an unknown field
      client.orders.create({ ...request, coupon: 'X' }),
      // @ts-expect-error a number where text goes
      client.orders.create({ ...request, id: 12345678 }),
      // @ts-expect-error required fields are missing
      client.orders.create({ game: 'mobile-legends' }),
      // @ts-expect-error a read takes no idempotency key
      client.games.list({ idempotencyKey: 'cart-17' }),
      // @ts-expect-error a slug is required
      client.games.get(),
    ]);
  });

  it('go through any fetch of the platform', () => {
    expectTypeOf<typeof globalThis.fetch>().toExtend<Fetch>();
    // @ts-expect-error an unknown option
    never(() => createTopupClient({ baseUrl: 'http://shop.test', retries: 3 }));
  });
});

describe('errors', () => {
  it('narrow by code', () => {
    const error: unknown = undefined;
    if (isTopupError(error, 'VALIDATION_ERROR')) {
      expectTypeOf(error).toExtend<TopupHttpError>();
      expectTypeOf(error.fields).toEqualTypeOf<Record<string, string[]> | undefined>();
    }
    if (isTopupError(error, 'TIMEOUT')) expectTypeOf(error).not.toExtend<TopupAbortError>();
  });

  it('narrow by name', () => {
    const error: unknown = undefined;
    if (isTopupError(error) && error.name === 'TopupTimeoutError') {
      expectTypeOf(error).toEqualTypeOf<TopupTimeoutError>();
    }
  });
});
