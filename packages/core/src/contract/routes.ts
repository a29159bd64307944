import type { Source } from './source.ts';

/** What a key must be allowed to do; a key has all of them unless it was created with fewer. */
export const scopes = ['catalog:read', 'orders:read', 'orders:write'] as const;
export type Scope = (typeof scopes)[number];

/** One operation of the interface. Paths are relative to `{base_url}`; `{name}` is a path parameter. */
export interface Route {
  method: 'GET' | 'POST';
  path: string;
  /** Where the path comes from. */
  source: Source;
  /** Where the shape of the answer comes from. */
  answerSource: Source;
  summary: string;
  scope: Scope;
  /** Which rate limit the operation counts against. */
  rate: 'reads' | 'orders';
  success: 200 | 201;
}

/** The route table: app, SDK, mock and conformance derive from it. */
export const routes = {
  listGames: {
    method: 'GET',
    path: '/games',
    source: 'interface 4.1',
    answerSource: 'interface 4.1',
    summary: 'List the games',
    scope: 'catalog:read',
    rate: 'reads',
    success: 200,
  },
  getGame: {
    method: 'GET',
    path: '/games/{slug}',
    source: 'live',
    answerSource: 'ours',
    summary: 'Read a game with its products',
    scope: 'catalog:read',
    rate: 'reads',
    success: 200,
  },
  getCheckout: {
    method: 'GET',
    path: '/order/{slug}',
    source: 'live',
    answerSource: 'live',
    summary: 'Read all that a checkout needs: the game, its products and the payment methods',
    scope: 'catalog:read',
    rate: 'reads',
    success: 200,
  },
  createOrder: {
    method: 'POST',
    path: '/order',
    source: 'interface 4.2',
    answerSource: 'interface 4.2',
    summary: 'Create an order',
    scope: 'orders:write',
    rate: 'orders',
    success: 201,
  },
  getInvoice: {
    method: 'GET',
    path: '/invoice/{order_id}',
    source: 'live',
    answerSource: 'live',
    summary: 'Read an invoice',
    scope: 'orders:read',
    rate: 'reads',
    success: 200,
  },
  getPaymentStatus: {
    method: 'GET',
    path: '/invoice/{order_id}/payment-status',
    source: 'live',
    answerSource: 'live',
    summary: 'Poll the state of an order',
    scope: 'orders:read',
    rate: 'reads',
    success: 200,
  },
} as const satisfies Record<string, Route>;

export type Operation = keyof typeof routes;
export const operations = Object.keys(routes) as Operation[]; // safe: the keys of a const table
