import { missingGlobals } from '@topup-kit/core/http';
import { TopupUsageError } from './errors/index.ts';
import type { Send } from './operations.ts';
import type { TopupClientOptions } from './options.ts';
import type { Platform } from './platform.ts';
import { type CreatedOrder, createList } from './resources/orders.ts';
import { createRequest } from './resources/request.ts';
import type { TopupClient } from './resources/resources.ts';
import type { TextExchange } from './results.ts';
import { asCall } from './sending/call.ts';
import { type CheckResponse, resolveConfig } from './sending/config.ts';
import type { Http } from './sending/http.ts';
import type { Call } from './sending/prepare.ts';
import { send as sendCall } from './sending/send.ts';
import { createWaitFor } from './waiting/wait-for.ts';

/** Creates the client for both entries, which differ in their HTTP implementation and in response validation. */
export function createClient(
  options: TopupClientOptions,
  http: Http,
  check?: CheckResponse,
  platform: Platform = globalThis,
): TopupClient {
  const config = resolveConfig(options, http, check, platform);
  // safe if the server follows the contract: fields are neither removed nor converted
  const send = ((call: Call) => sendCall(call, config)) as Send;
  return {
    games: {
      list: (options) => asCall(send({ operation: 'listGames', options })),
      get: (slug, options) => asCall(send({ operation: 'getGame', params: { slug }, options })),
    },
    checkout: {
      get: (slug, options) => asCall(send({ operation: 'getCheckout', params: { slug }, options })),
    },
    orders: {
      create: (body, options) =>
        // safe: an order's result has its key
        asCall(send({ operation: 'createOrder', body, options }) as Promise<TextExchange<CreatedOrder>>),
      waitFor: createWaitFor(send),
      list: createList(send),
    },
    invoices: {
      get: (order_id, options) => asCall(send({ operation: 'getInvoice', params: { order_id }, options })),
      paymentStatus: (order_id, options) =>
        asCall(send({ operation: 'getPaymentStatus', params: { order_id }, options })),
    },
    promos: {
      validate: (body, options) => asCall(send({ operation: 'validatePromo', body, options })),
    },
    accounts: {
      check: (body, options) => asCall(send({ operation: 'checkAccount', body, options })),
    },
    events: {
      list: (query, options) => asCall(send({ operation: 'listEvents', query, options })),
    },
    request: createRequest(config),
  };
}

/** Throws if the platform lacks something, with the way to get it. */
export function checkEnvironment({ fetch }: TopupClientOptions): void {
  const needed = ['Headers', 'Request', 'Response', 'AbortController', 'AbortSignal'];
  const problem = missingGlobals('@topup-kit/sdk', fetch ? needed : [...needed, 'fetch']);
  if (problem !== undefined) throw new TopupUsageError('UNSUPPORTED_ENVIRONMENT', problem);
}
