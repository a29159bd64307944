import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Wire from '@topup-kit/core/contract';
import * as contract from '@topup-kit/core/contract';
import * as sdk from '@topup-kit/sdk';
import {
  type AnyTopupError,
  type CreateOrderRequest,
  createTopupClient,
  type Fetch,
  isTopupError,
  type TopupAbortError,
  type TopupClient,
  type TopupEvent,
  type TopupHttpError,
  type TopupTimeoutError,
  type TopupUnknownOutcomeError,
  type ValidatePromoRequest,
} from '@topup-kit/sdk';
import { createTopupClient as createLightClient } from '@topup-kit/sdk/light';
import ts from 'typescript';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { KnownHttpErrorCode } from '../src/errors/error-codes.ts';
import type { ErrorByCode } from '../src/errors/is-topup-error.ts';
import type { ResponseErrorCode } from '../src/errors/response-error.ts';
import type { UsageErrorCode } from '../src/errors/usage-error.ts';
import type { WaitErrorCode } from '../src/errors/wait-error.ts';
import type { WebhookErrorCode } from '../src/errors/webhook-error.ts';
import type { Responses } from '../src/generated/responses.ts';

it("derives the type of an event's data from the type of the event", () => {
  const read = (event: TopupEvent) => {
    if (event.type === 'order.delivered') return event.data.order.serial_number;
    if (event.type === 'balance.low') return event.data.balance;
    // @ts-expect-error: an event that is neither has no such field
    return event.data.balance;
  };
  expectTypeOf(read).parameter(0).toEqualTypeOf<TopupEvent>();
});

type Created = Awaited<ReturnType<TopupClient['orders']['create']>>;
type Polled = Awaited<ReturnType<TopupClient['invoices']['paymentStatus']>>;

/** A type whose unions of strings also accept other strings. */
type Open<Type> = Type extends string
  ? string extends Type
    ? Type
    : Type | (string & {})
  : Type extends object
    ? { [Key in keyof Type]: Open<Type[Key]> }
    : Type;

/** Checked by tsc; nothing here is executed. */
const never = (_check: (client: TopupClient, request: CreateOrderRequest) => unknown): void => {};

describe('responses', () => {
  it("contains the contract's fields in responses", () => {
    expectTypeOf<Created['data']['pricing']['total_price']>().toEqualTypeOf<number>();
    expectTypeOf<Created['data']['qr_url']>().toEqualTypeOf<string | null>();
    expectTypeOf<Created['success']>().toEqualTypeOf<true>();
    // @ts-expect-error a misspelt field
    never(async (client, request) => (await client.orders.create(request)).data.totalPrice);
  });

  it('accepts unknown statuses in responses', () => {
    expectTypeOf<Created['data']['payment_status']>().toEqualTypeOf<
      'UNPAID' | 'PAID' | 'EXPIRED' | 'FAILED' | 'REFUND' | (string & {})
    >();
    expectTypeOf<'DISPUTED'>().toExtend<Polled['data']['buy_status']>();
    never(async (client) => {
      const { data } = await client.invoices.paymentStatus('INV-1-ABCDEFGH');
      // @ts-expect-error a status is still a string
      if (data.payment_status === 1) return false;
      return data.payment_status === 'DISPUTED' || data.buy_status === 'Sukses';
    });
  });

  it('contains the idempotency key in the type of an order', () => {
    expectTypeOf<Created['idempotencyKey']>().toEqualTypeOf<string>();
    // @ts-expect-error a read has no key
    never(async (client) => (await client.games.list()).idempotencyKey);
  });

  it('narrows safe() by ok', () => {
    never(async (client) => {
      const result = await client.games.list().safe();
      // @ts-expect-error before the check of ok, there may be no data
      result.data.games;
      if (result.ok) {
        expectTypeOf(result.data.games).toBeArray();
        expectTypeOf(result.error).toEqualTypeOf<undefined>();
      } else {
        expectTypeOf(result.error).toEqualTypeOf<AnyTopupError>();
        expectTypeOf(result.data).toEqualTypeOf<undefined>();
      }
    });
  });

  it('narrows a wait by outcome', () => {
    never(async (client) => {
      const paid = await client.orders.waitFor('INV-1-ABCDEFGH', { until: 'paid' });
      expectTypeOf(paid.outcome).toEqualTypeOf<'paid' | 'expired' | 'payment_failed' | 'refunded'>();
      if (paid.outcome === 'paid') expectTypeOf(paid.state.payment_status).toExtend<'PAID'>();

      const end = await client.orders.waitFor('INV-1-ABCDEFGH');
      expectTypeOf(end.outcome).toEqualTypeOf<
        'delivered' | 'delivery_failed' | 'expired' | 'payment_failed' | 'refunded'
      >();
      if (end.outcome === 'delivered') expectTypeOf(end.state.buy_status).toExtend<'Sukses'>();
      // @ts-expect-error 'paid' is not a final outcome
      end.outcome === 'paid';
    });
  });
});

describe('the types of responses', () => {
  it("contains the contract's types with open unions", () => {
    expectTypeOf<Open<Omit<Wire.Responses, 'listEvents'>>>().toEqualTypeOf<Omit<Responses, 'listEvents'>>();
    // An event's type tells what its data is, so it is no open union.
    expectTypeOf<Responses['listEvents']['data'][number]['type']>().toEqualTypeOf<Wire.OrderEventType>();
    expectTypeOf<Wire.CreateOrderRequest>().toEqualTypeOf<CreateOrderRequest>();
    expectTypeOf<Wire.ValidatePromoRequest>().toEqualTypeOf<ValidatePromoRequest>();
  });

  it('lists the values of types', () => {
    expect(sdk.paymentStatuses).toEqual(contract.paymentStatuses);
    expect(sdk.buyStatuses).toEqual(contract.buyStatuses);
    expect(sdk.paymentGroups).toEqual(contract.paymentGroups);
    expect(sdk.operations).toEqual(contract.operations);
    expectTypeOf<(typeof sdk.buyStatuses)[number]>().toEqualTypeOf<Wire.BuyStatus>();
  });
});

describe('requests', () => {
  it('contains strict request types', () => {
    never((client, request) => [
      // @ts-expect-error an unknown field
      client.orders.create({ ...request, coupon: 'X' }),
      // @ts-expect-error a number where text goes
      client.orders.create({ ...request, id: 12345678 }),
      // @ts-expect-error required fields are missing
      client.orders.create({ game: 'mobile-legends' }),
      // @ts-expect-error a read takes no idempotency key
      client.games.list({ idempotencyKey: 'cart-17' }),
      // @ts-expect-error neither does another POST operation
      client.promos.validate({} as ValidatePromoRequest, { idempotencyKey: 'cart-17' }),
      // @ts-expect-error a slug is required
      client.games.get(),
      // @ts-expect-error an order id is text
      client.invoices.get(17),
      // @ts-expect-error an order id is a string here too
      client.orders.waitFor(17),
      // @ts-expect-error a product id is a number
      client.orders.create({ ...request, product_id: '901' }),
      // @ts-expect-error the alias is only for other clients
      client.orders.create({ ...request, messenger_number: '081234567890' }),
      // @ts-expect-error null does not omit a field
      client.orders.create({ ...request, promo_code: null }),
    ]);
  });

  it('accepts undefined for optional request fields, even with exactOptionalPropertyTypes', () => {
    const absent: undefined | string = undefined;
    never((client, request) => [
      client.orders.create({
        ...request,
        server: absent,
        email: absent,
        nickname: absent,
        promo_code: absent,
      }),
      client.orders.create({ ...request, quantity: undefined }),
      client.promos.validate({
        code: 'RAMADAN10',
        game_slug: 'mobile-legends',
        product_id: 901,
        payment_method_id: 12,
        whatsapp: absent,
      }),
      client.orders.create(request, { idempotencyKey: absent, signal: undefined, timeout: undefined }),
      client.orders.waitFor('INV-1', { until: undefined, onUpdate: undefined }),
      client.request('POST', '/x', { body: undefined, idempotencyKey: absent }),
      client.request('GET', '/x', { schema: undefined }),
      createTopupClient({ baseUrl: absent, apiKey: absent, hooks: undefined, validation: undefined }),
    ]);
  });

  it('accepts only existing options', () => {
    never((client, request) => [
      client.games.list({ signal: new AbortController().signal, timeout: 1, totalTimeout: 2, maxRetries: 0 }),
      client.orders.create(request, { idempotencyKey: 'cart-17', headers: { 'X-Shop': '7' } }),
      // @ts-expect-error an unknown option of a call
      client.games.list({ retry: 3 }),
      // @ts-expect-error the key is an option of the client
      client.games.list({ apiKey: 'tk_test_1' }),
      client.orders.create(request, { idempotencyKey: 'cart-17', idempotency: 'supported' }),
      // @ts-expect-error an unknown value of an option
      client.orders.create(request, { idempotency: 'unsupported' }),
      // @ts-expect-error an AbortController is not a signal
      client.games.list({ signal: new AbortController() }),
      // @ts-expect-error an unknown goal
      client.orders.waitFor('INV-1-ABCDEFGH', { until: 'delivered' }),
      // @ts-expect-error a wait has no option for its interval
      client.orders.waitFor('INV-1-ABCDEFGH', { interval: 1_000 }),
    ]);
  });

  it('accepts requests of a client with valid options', () => {
    const baseUrl = 'http://shop.test';
    never(() => [
      createTopupClient({
        baseUrl,
        validation: 'strict',
        idempotency: 'supported',
        maxRetries: 3,
        logger: console,
      }),
      createLightClient({ baseUrl, maxRetries: 3, logger: console }),
      // @ts-expect-error an unknown option of a client
      createTopupClient({ baseUrl, token: 'tk_test_1' }),
      // @ts-expect-error a signal is an option of one call
      createTopupClient({ baseUrl, signal: new AbortController().signal }),
      // @ts-expect-error an unknown mode of validation
      createTopupClient({ baseUrl, validation: 'loose' }),
      // @ts-expect-error an unknown value of idempotency
      createTopupClient({ baseUrl, idempotency: true }),
      // @ts-expect-error an unknown level
      createTopupClient({ baseUrl, logLevel: 'trace' }),
      // @ts-expect-error an unknown hook
      createTopupClient({ baseUrl, hooks: { beforeRequest: () => {} } }),
      // @ts-expect-error the light entry does not validate
      createLightClient({ baseUrl, validation: 'strict' }),
    ]);
  });

  it("accepts any platform's fetch", () => {
    expectTypeOf<typeof globalThis.fetch>().toExtend<Fetch>();
  });
});

describe('errors', () => {
  it('narrows errors by code', () => {
    const error: unknown = undefined;
    if (isTopupError(error, 'VALIDATION_ERROR')) {
      expectTypeOf(error).toExtend<TopupHttpError>();
      expectTypeOf(error.fields).toEqualTypeOf<Record<string, string[]> | undefined>();
    }
    if (isTopupError(error, 'TIMEOUT')) expectTypeOf(error).not.toExtend<TopupAbortError>();
  });

  it('narrows to exactly one class for every code', () => {
    type Names = { [Code in sdk.TopupErrorCode]: ErrorByCode<Code>['name'] };
    type Codes = { [Code in sdk.TopupErrorCode]: ErrorByCode<Code>['code'] };
    expectTypeOf<Codes>().toEqualTypeOf<{ [Code in sdk.TopupErrorCode]: Code }>();
    expectTypeOf<Names>().toEqualTypeOf<
      Record<KnownHttpErrorCode, 'TopupHttpError'> &
        Record<ResponseErrorCode, 'TopupResponseError'> &
        Record<WaitErrorCode, 'TopupWaitError'> &
        Record<WebhookErrorCode, 'TopupWebhookError'> &
        Record<UsageErrorCode, 'TopupUsageError'> & {
          NETWORK_ERROR: 'TopupNetworkError';
          TIMEOUT: 'TopupTimeoutError';
          ABORTED: 'TopupAbortError';
          UNKNOWN_OUTCOME: 'TopupUnknownOutcomeError';
        } extends infer All
        ? { [Code in keyof All]: All[Code] }
        : never
    >();
  });

  it("narrows by `code` alone after a service's errors are excluded", () => {
    never(async (client) => {
      const { error } = await client.games.list().safe();
      if (!error) return;
      if (error.name === 'TopupHttpError') return error.code === 'ONLY_OF_THIS_SERVICE';
      switch (error.code) {
        case 'TIMEOUT':
          return expectTypeOf(error).toEqualTypeOf<TopupTimeoutError>();
        case 'UNKNOWN_OUTCOME':
          return expectTypeOf(error).toEqualTypeOf<TopupUnknownOutcomeError>();
        case 'INVALID_RESPONSE':
          return expectTypeOf(error).toEqualTypeOf<sdk.TopupResponseError>();
      }
    });
  });

  it('rejects mistyped codes', () => {
    const error: unknown = undefined;
    // @ts-expect-error no such code
    isTopupError(error, 'TYPO');
    // @ts-expect-error a code in lower case
    isTopupError(error, 'timeout');
    if (isTopupError(error, 'BAD_GATEWAY')) expectTypeOf(error.status).toBeNumber();
    if (isTopupError(error) && error.name === 'TopupHttpError')
      expectTypeOf<'NEW'>().toExtend<typeof error.code>();
    expectTypeOf(sdk.errorCodes).toEqualTypeOf<readonly sdk.TopupErrorCode[]>();
  });

  it('contains the fields of an unknown outcome', () => {
    const error: unknown = undefined;
    if (isTopupError(error, 'UNKNOWN_OUTCOME')) {
      expectTypeOf(error).toExtend<TopupUnknownOutcomeError>();
      expectTypeOf(error.idempotencyKey).toEqualTypeOf<string>();
      expectTypeOf(error.cause.code).toBeString();
    }
    // @ts-expect-error an error of unknown kind has no status
    if (isTopupError(error)) error.status;
  });

  it('narrows errors by name', () => {
    const error: unknown = undefined;
    if (isTopupError(error) && error.name === 'TopupTimeoutError') {
      expectTypeOf(error).toEqualTypeOf<TopupTimeoutError>();
    }
  });
});

describe('ky', () => {
  it('uses types of ky only in the file that uses it', async () => {
    const source = fileURLToPath(new URL('../src', import.meta.url));
    const paths = (await readdir(source, { recursive: true })).filter((path) => path.endsWith('.ts'));
    const declared = await Promise.all(
      paths.map(async (path) => {
        const text = await readFile(join(source, path), 'utf8');
        if (!/from 'ky'/.test(text)) return [];
        const { outputText, diagnostics } = ts.transpileDeclaration(text, { reportDiagnostics: true });
        return [{ path, importsKy: /['"]ky['"]/.test(outputText), inferred: diagnostics?.length }];
      }),
    );

    expect(declared.flat()).toEqual([{ path: 'sending/ky-http.ts', importsKy: false, inferred: 0 }]);
  });
});
