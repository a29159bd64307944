import { resolveConfig } from './config.ts';
import type { TopupClientOptions } from './options.ts';
import { type CheckoutResource, createCheckout } from './resources/checkout.ts';
import { createGames, type GamesResource } from './resources/games.ts';
import { createInvoices, type InvoicesResource } from './resources/invoices.ts';
import { createOrders, type OrdersResource } from './resources/orders.ts';
import { createTransport } from './transport.ts';

/** The client: one resource a noun, one method an operation, each answering what is on the wire. */
export interface TopupClient {
  readonly games: GamesResource;
  readonly checkout: CheckoutResource;
  readonly orders: OrdersResource;
  readonly invoices: InvoicesResource;
}

/**
 * Makes a client of a top-up service. Every method rejects with a `TopupError` and nothing else.
 *
 * @throws {TopupUsageError} for an option that cannot be used.
 *
 * @example
 * ```ts
 * const client = createTopupClient({
 *   baseUrl: 'http://127.0.0.1:4000/api',
 *   apiKey: process.env.TOPUP_API_KEY,
 * });
 * const { games } = await client.games.list();
 * ```
 */
export function createTopupClient(options: TopupClientOptions): TopupClient {
  const send = createTransport(resolveConfig(options));
  return {
    games: createGames(send),
    checkout: createCheckout(send),
    orders: createOrders(send),
    invoices: createInvoices(send),
  };
}
