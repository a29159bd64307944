import { endpoints } from './endpoints.ts';
import { type ErrorCode, type ErrorCodeIn, errorCodesIn } from './errors.ts';
import type {
  CheckAccountRequest,
  CreateOrderRequest,
  ListEventsQuery,
  ListOrdersQuery,
  ValidatePromoRequest,
} from './generated/types.ts';
import type { Source } from './schema-docs.ts';

/** Permissions of API keys. A key has all of them by default. */
export const scopes = ['catalog:read', 'orders:read', 'orders:write'] as const;
export type Scope = (typeof scopes)[number];

/** The permission to name the address of a request's customer. A key has it only if its operator asks for it. */
export const trustScope = 'customers:ip';
export type KeyScope = Scope | typeof trustScope;

/** One operation of the interface. Paths are relative to `{base_url}`; `{name}` is a path parameter. */
export interface Route {
  method: 'GET' | 'POST';
  path: string;
  /** Source of the path. */
  source: Source;
  /** Source of the response's shape. */
  responseSource: Source;
  summary: string;
  /** Details beyond the summary. */
  description: string;
  scope: Scope;
  /** The rate limit to which calls of the operation count. */
  rate: 'reads' | 'orders';
  success: 200 | 201;
  /** Errors of this operation, in addition to `commonErrors`. */
  errors: readonly ErrorCode[];
  /** A valid request to a sandbox. Its response is in `openapi/examples.ts`. */
  example: {
    path?: Readonly<Record<string, string>>;
    query?: ListOrdersQuery | ListEventsQuery;
    body?: CreateOrderRequest | ValidatePromoRequest | CheckAccountRequest;
  };
}

/** Errors of every operation, in the order of the checks; the last is for internal errors. */
export const commonErrors = ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED', 'SERVER_ERROR'] as const;

/** Errors of requests that match no operation. */
export const unmatchedErrors = ['UNAUTHORIZED', 'ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED'] as const;

/** Errors of a request body. */
const bodyErrors = [
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'MALFORMED_JSON',
  'VALIDATION_ERROR',
] as const;

/** Errors of the chosen game, product, payment method and promo code. */
const choiceErrors = [
  'GAME_NOT_FOUND',
  'GAME_CLOSED',
  'PRODUCT_NOT_FOUND',
  'PRODUCT_CLOSED',
  'PRODUCT_OUT_OF_STOCK',
  'PRODUCT_GAME_MISMATCH',
  'PAYMENT_METHOD_NOT_FOUND',
  'PAYMENT_METHOD_CLOSED',
  ...errorCodesIn('promo'),
] as const;

const exampleGame = { slug: 'mobile-legends' };
const exampleInvoice = { order_id: 'INV-20260328100000-DVHHEMKC' };

/** The route table. App, SDK, mock and conformance derive from it. */
export const routes = {
  listGames: {
    ...endpoints.listGames,
    source: 'interface 4.1',
    responseSource: 'interface 4.1',
    summary: 'List the games',
    description:
      'Lists all games that are not hidden, ordered by `sort` and then `id`. Closed games (`status: false`) are included. Query parameters are ignored.',
    scope: 'catalog:read',
    rate: 'reads',
    success: 200,
    errors: [],
    example: {},
  },
  getGame: {
    ...endpoints.getGame,
    source: 'live',
    responseSource: 'ours',
    summary: 'Get a game with its products',
    description: 'A closed game can be read but not ordered. A hidden game is reported as not found.',
    scope: 'catalog:read',
    rate: 'reads',
    success: 200,
    errors: ['GAME_NOT_FOUND'],
    example: { path: exampleGame },
  },
  getCheckout: {
    ...endpoints.getCheckout,
    source: 'live',
    responseSource: 'live',
    summary: 'Get the data of a checkout page: the game, its products and the payment methods',
    description:
      'Only active games, products and payment methods can be ordered. The response shows the others with `status: false`.',
    scope: 'catalog:read',
    rate: 'reads',
    success: 200,
    errors: ['GAME_NOT_FOUND'],
    example: { path: exampleGame },
  },
  createOrder: {
    ...endpoints.createOrder,
    source: 'interface 4.2',
    responseSource: 'interface 4.2',
    summary: 'Create an order',
    description:
      'The server computes the price once and stores it with the order. The response holds the payment data and the payment expiry. To follow the order, poll its state with `orderId`.',
    scope: 'orders:write',
    rate: 'orders',
    success: 201,
    errors: [
      ...bodyErrors,
      ...errorCodesIn('idempotency'),
      ...choiceErrors,
      ...errorCodesIn('payment'),
      ...errorCodesIn('orderFailed'),
    ],
    example: {
      body: {
        id: '12345678',
        server: '2012',
        game: 'mobile-legends',
        product_id: 901,
        payment_method_id: 12,
        whatsapp: '081234567890',
        promo_code: 'RAMADAN10',
        quantity: 2,
      },
    },
  },
  listOrders: {
    ...endpoints.listOrders,
    source: 'ours',
    responseSource: 'ours',
    summary: 'List your orders',
    description:
      'Lists the orders of the account of the API key, newest first, in pages. If no order appears for an `idempotency_key`, the order may still be on its way to the service. To be sure, send the same order with the same key again.',
    scope: 'orders:read',
    rate: 'reads',
    success: 200,
    errors: ['VALIDATION_ERROR', 'IDEMPOTENCY_IN_FLIGHT'],
    example: { query: { payment_status: 'PAID', limit: 20 } },
  },
  getInvoice: {
    ...endpoints.getInvoice,
    source: 'live',
    responseSource: 'live',
    summary: 'Get an invoice',
    description:
      'Returns the order with all details of its invoice. For an order of another account the response is the same as for one that does not exist.',
    scope: 'orders:read',
    rate: 'reads',
    success: 200,
    errors: ['INVOICE_NOT_FOUND'],
    example: { path: exampleInvoice },
  },
  getPaymentStatus: {
    ...endpoints.getPaymentStatus,
    source: 'live',
    responseSource: 'live',
    summary: 'Poll the state of an order',
    description:
      'A small response, made for polling. The order has succeeded when `payment_status` is `PAID` and `buy_status` is `Sukses` (delivered).',
    scope: 'orders:read',
    rate: 'reads',
    success: 200,
    errors: ['INVOICE_NOT_FOUND'],
    example: { path: exampleInvoice },
  },
  validatePromo: {
    ...endpoints.validatePromo,
    source: 'live',
    responseSource: 'live',
    summary: 'Validate a promo code',
    description:
      'Returns the price of one unit with the promo code. A code that an order could not use is rejected with the same error. Validating a code does not use it up.',
    scope: 'catalog:read',
    rate: 'reads',
    success: 200,
    errors: [...bodyErrors, ...choiceErrors],
    example: {
      body: {
        code: 'RAMADAN10',
        game_slug: 'mobile-legends',
        product_id: 901,
        payment_method_id: 12,
      },
    },
  },
  checkAccount: {
    ...endpoints.checkAccount,
    source: 'ours',
    responseSource: 'ours',
    summary: 'Check an account to top up',
    description:
      "Returns whether the player exists, and the nickname, if the game's supplier can look it up. An order never needs this check. The service keeps the result for an hour.",
    scope: 'catalog:read',
    rate: 'reads',
    success: 200,
    errors: [...bodyErrors, 'GAME_NOT_FOUND'],
    example: { body: { game: 'mobile-legends', id: '12345678', server: '2012' } },
  },
  listEvents: {
    ...endpoints.listEvents,
    source: 'ours',
    responseSource: 'ours',
    summary: 'List the events of your orders',
    description:
      "Lists the events of the account's orders, oldest first, in the form that webhooks receive. Without `after`, the list is empty, and `next_cursor` marks the current end. To follow new events, ask again with the `next_cursor` of each response.",
    scope: 'orders:read',
    rate: 'reads',
    success: 200,
    errors: ['VALIDATION_ERROR'],
    example: { query: { limit: 50 } },
  },
} as const satisfies Record<keyof typeof endpoints, Route>;

export type Operation = keyof typeof endpoints;
export const operations = Object.keys(routes) as Operation[]; // Safe: these are the keys of a constant table.

/** Creates a pattern for the paths of an operation, without the query. */
export const pathPattern = (operation: Operation): RegExp =>
  new RegExp(`^${routes[operation].path.replace(/\{\w+\}/g, '[^/]+')}$`);

/** Tells whether an operation reads the catalogue, which is the same for all accounts and languages. */
export function readsCatalog(operation: Operation): boolean {
  const { method, scope }: Route = routes[operation];
  return method === 'GET' && scope === 'catalog:read';
}

/** Returns all errors of an operation. `UNAVAILABLE` comes from an overloaded server, an unreachable store, or a proxy. */
export const errorsOf = (operation: Operation): readonly ErrorCode[] => [
  ...commonErrors,
  ...routes[operation].errors,
  'UNAVAILABLE',
];

/** Errors that a request can get. `UNAVAILABLE` concerns the whole service, including `/health`. */
type ReachableError =
  | (typeof commonErrors | typeof unmatchedErrors | (typeof routes)[Operation]['errors'])[number]
  | ErrorCodeIn<'control'>
  | 'UNAVAILABLE';

type None<Left extends never> = Left;
/** Errors that no request can get; must be empty. If a new error doesn't compile here, add it to one of the lists above. */
export type UnreachableError = None<Exclude<ErrorCode, ReachableError>>;
