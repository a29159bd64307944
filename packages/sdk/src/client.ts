import { missingGlobals } from '@topup-kit/core/http';
import { TopupUsageError } from './errors/index.ts';
import type { TopupClientOptions } from './options.ts';
import type { Platform } from './platform.ts';
import { type AccountsResource, createAccounts } from './resources/accounts.ts';
import { type CheckoutResource, createCheckout } from './resources/checkout.ts';
import { createEvents, type EventsResource } from './resources/events.ts';
import { createGames, type GamesResource } from './resources/games.ts';
import { createInvoices, type InvoicesResource } from './resources/invoices.ts';
import { createOrders, type OrdersResource } from './resources/orders.ts';
import { createPromos, type PromosResource } from './resources/promos.ts';
import { createRequest, type SendRequest } from './resources/request.ts';
import { resolveConfig } from './sending/config.ts';
import type { Http } from './sending/http.ts';
import { type CheckResponse, createSend, createSendRoute } from './sending/send.ts';

/** The client. It has one property for each resource, with one method for each operation. Methods resolve with the JSON of the response. */
export interface TopupClient {
  /** The games of the catalogue: `list`, and `get` with products. */
  readonly games: GamesResource;
  /** Data for a checkout page: `get` returns a game with products and payment methods. */
  readonly checkout: CheckoutResource;
  /** Orders: `create` one, `waitFor` its delivery, and `list` those of your account. */
  readonly orders: OrdersResource;
  /** Invoices: `get` one, or only its `paymentStatus`. */
  readonly invoices: InvoicesResource;
  /** Promo codes: `validate` returns the price with a code. */
  readonly promos: PromosResource;
  /** Accounts to top up: `check` says whether a player exists, and the nickname. */
  readonly accounts: AccountsResource;
  /** What happened to your orders: `list` it after a cursor. */
  readonly events: EventsResource;
  /** Calls a route of the service that has no method of its own. */
  readonly request: SendRequest;
}

/** Creates the client for both entries, which differ in their HTTP implementation and in response validation. */
export function createClient(
  options: TopupClientOptions,
  http: Http,
  check?: CheckResponse,
  platform: Platform = globalThis,
): TopupClient {
  const config = resolveConfig(options, http, platform);
  const send = createSend(config, check);
  return {
    games: createGames(send),
    checkout: createCheckout(send),
    orders: createOrders(send),
    invoices: createInvoices(send),
    promos: createPromos(send),
    accounts: createAccounts(send),
    events: createEvents(send),
    request: createRequest(createSendRoute(config)),
  };
}

/** Throws if the platform lacks something, with the way to get it. */
export function checkEnvironment({ fetch }: TopupClientOptions): void {
  const needed = ['Headers', 'Request', 'Response', 'AbortController', 'AbortSignal'];
  const problem = missingGlobals('@topup-kit/sdk', fetch ? needed : [...needed, 'fetch']);
  if (problem !== undefined) throw new TopupUsageError('UNSUPPORTED_ENVIRONMENT', problem);
}
