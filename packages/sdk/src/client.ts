import { missingGlobals } from '@topup-kit/core/http';
import { TopupUsageError } from './errors/index.ts';
import type { Send } from './operations.ts';
import type { ClientOptions } from './options.ts';
import type { Platform } from './platform.ts';
import { checkNames } from './request/check-options.ts';
import { type CreatedOrder, createList } from './resources/orders.ts';
import { createRequest } from './resources/request.ts';
import type { TopupClient } from './resources/resources.ts';
import type { ResponseWithText } from './results.ts';
import { asCall } from './sending/call.ts';
import { type Config, type Entry, resolveConfig } from './sending/config.ts';
import type { Call } from './sending/prepare.ts';
import { send as sendCall } from './sending/send.ts';
import { createWaitFor } from './waiting/wait-for.ts';

/** Creates a client. `base` is the configuration of the client that it is derived from. */
export function createClient<Options extends ClientOptions>(
  options: Options,
  entry: Entry<Options>,
  platform: Platform = globalThis,
  base?: Config,
): TopupClient<Options> {
  checkNames(options, entry.names);
  const config = resolveConfig(options, entry, platform, base);
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
        // Safe: an order's result has its key.
        asCall(send({ operation: 'createOrder', body, options }) as Promise<ResponseWithText<CreatedOrder>>),
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
    withOptions: (more) => createClient({ ...options, ...more }, entry, platform, config),
  };
}

/** Throws if the platform lacks a global, and says how to add it. */
export function checkEnvironment(options: ClientOptions | null): void {
  const needed = ['Headers', 'Request', 'Response', 'AbortController', 'AbortSignal'];
  const problem = missingGlobals('@topup-kit/sdk', options?.fetch ? needed : [...needed, 'fetch']);
  if (problem !== undefined) throw new TopupUsageError('UNSUPPORTED_ENVIRONMENT', problem);
}
