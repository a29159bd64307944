import type { TopupClientOptions } from './options.ts';
import { resolveConfig } from './request/config.ts';
import { type CheckoutResource, createCheckout } from './resources/checkout.ts';
import { createGames, type GamesResource } from './resources/games.ts';
import { createInvoices, type InvoicesResource } from './resources/invoices.ts';
import { createOrders, type OrdersResource } from './resources/orders.ts';
import { createPromos, type PromosResource } from './resources/promos.ts';
import type { Http } from './sending/http.ts';
import { type CheckResponse, createSend } from './sending/send.ts';

/** The client: one resource a noun, one method an operation, each answering what is on the wire. */
export interface TopupClient {
  readonly games: GamesResource;
  readonly checkout: CheckoutResource;
  readonly orders: OrdersResource;
  readonly invoices: InvoicesResource;
  readonly promos: PromosResource;
}

/** The client of both entries: they differ in who does their HTTP, and in whether answers are checked. */
export function createClient(options: TopupClientOptions, http: Http, check?: CheckResponse): TopupClient {
  const send = createSend(resolveConfig(options, http), check);
  return {
    games: createGames(send),
    checkout: createCheckout(send),
    orders: createOrders(send),
    invoices: createInvoices(send),
    promos: createPromos(send),
  };
}
