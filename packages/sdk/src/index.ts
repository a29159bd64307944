export { createTopupClient, type TopupClient } from './client.ts';
export * from './errors/index.ts';
export type { CreateOrderOptions, Fetch, RequestOptions, TopupClientOptions } from './options.ts';
export type { CheckoutResource } from './resources/checkout.ts';
export type { GamesResource } from './resources/games.ts';
export type { InvoicesResource } from './resources/invoices.ts';
export type { OrdersResource } from './resources/orders.ts';
export * from './types.ts';
export { version } from './version.ts';
