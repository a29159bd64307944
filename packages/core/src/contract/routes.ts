import { endpoints } from './endpoints.ts';
import { type ErrorCode, type ErrorCodeIn, errorCodesIn } from './errors.ts';
import type { Source } from './source.ts';
import type { OrderRequest, PromoValidationRequest } from './types.ts';

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
  /** What the summary leaves out. */
  description: string;
  scope: Scope;
  /** Which rate limit the operation counts against. */
  rate: 'reads' | 'orders';
  success: 200 | 201;
  /** What it can be refused for, besides what any operation can be refused for (`commonErrors`). */
  errors: readonly ErrorCode[];
  /** A request as one may send it to a sandbox. What it is answered stands with the OpenAPI document. */
  example: {
    path?: Readonly<Record<string, string>>;
    body?: OrderRequest | PromoValidationRequest;
  };
}

/** What any operation can be refused for, in the order of the checks; the last when nothing else explains it. */
export const commonErrors = ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED', 'SERVER_ERROR'] as const;

/** What a request that no operation takes is refused for. */
export const unmatchedErrors = ['UNAUTHORIZED', 'ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED'] as const;

/** What a body can be refused for. */
const bodyErrors = [
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'MALFORMED_JSON',
  'VALIDATION_ERROR',
] as const;

/** What a choice of game, product, payment method and promo code can be refused for. */
const choiceErrors = [
  'GAME_NOT_FOUND',
  'PRODUCT_NOT_FOUND',
  'PRODUCT_GAME_MISMATCH',
  'PAYMENT_METHOD_NOT_FOUND',
  ...errorCodesIn('promo'),
] as const;

const exampleGame = { slug: 'mobile-legends' };
const exampleInvoice = { order_id: 'INV-20260328100000-DVHHEMKC' };

/** The route table: app, SDK, mock and conformance derive from it. */
export const routes = {
  listGames: {
    ...endpoints.listGames,
    source: 'interface 4.1',
    answerSource: 'interface 4.1',
    summary: 'List the games',
    description:
      'All games that are not hidden, by `sort` and then `id`, also those that are closed (`status: false`). Query parameters are ignored.',
    scope: 'catalog:read',
    rate: 'reads',
    success: 200,
    errors: [],
    example: {},
  },
  getGame: {
    ...endpoints.getGame,
    source: 'live',
    answerSource: 'ours',
    summary: 'Read a game with its products',
    description: 'A closed game can be read but not ordered; a hidden one does not exist for a client.',
    scope: 'catalog:read',
    rate: 'reads',
    success: 200,
    errors: ['GAME_NOT_FOUND'],
    example: { path: exampleGame },
  },
  getCheckout: {
    ...endpoints.getCheckout,
    source: 'live',
    answerSource: 'live',
    summary: 'Read all that a checkout needs: the game, its products and the payment methods',
    description:
      'Only active games, products and payment methods can be ordered; the answer shows the others with `status: false`.',
    scope: 'catalog:read',
    rate: 'reads',
    success: 200,
    errors: ['GAME_NOT_FOUND'],
    example: { path: exampleGame },
  },
  createOrder: {
    ...endpoints.createOrder,
    source: 'interface 4.2',
    answerSource: 'interface 4.2',
    summary: 'Create an order',
    description:
      'The server computes the price once and keeps it with the order. The answer says what to pay to and until when; poll the state of the order with its `orderId`.',
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
  getInvoice: {
    ...endpoints.getInvoice,
    source: 'live',
    answerSource: 'live',
    summary: 'Read an invoice',
    description:
      'The order with all that its invoice shows. An order of another account is not found, exactly as one that does not exist.',
    scope: 'orders:read',
    rate: 'reads',
    success: 200,
    errors: ['INVOICE_NOT_FOUND'],
    example: { path: exampleInvoice },
  },
  getPaymentStatus: {
    ...endpoints.getPaymentStatus,
    source: 'live',
    answerSource: 'live',
    summary: 'Poll the state of an order',
    description:
      'The light way to follow an order. It has succeeded for the customer when it is `PAID` and `Sukses`.',
    scope: 'orders:read',
    rate: 'reads',
    success: 200,
    errors: ['INVOICE_NOT_FOUND'],
    example: { path: exampleInvoice },
  },
  validatePromo: {
    ...endpoints.validatePromo,
    source: 'live',
    answerSource: 'live',
    summary: 'Try a promo code on a product',
    description:
      'Tells what a promo code would do to the price of one unit, and refuses as an order with that code would be refused. Nothing is claimed.',
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
} as const satisfies Record<keyof typeof endpoints, Route>;

export type Operation = keyof typeof endpoints;
export const operations = Object.keys(routes) as Operation[]; // safe: the keys of a const table

/** Matches the paths of an operation, without their query. */
export const pathPattern = (operation: Operation): RegExp =>
  new RegExp(`^${routes[operation].path.replace(/\{\w+\}/g, '[^/]+')}$`);

/** The errors that some request can meet; the service as a whole is unavailable, at `/health` and behind proxies. */
type ReachableError =
  | (typeof commonErrors | typeof unmatchedErrors | (typeof routes)[Operation]['errors'])[number]
  | ErrorCodeIn<'control'>
  | 'UNAVAILABLE';

type None<Left extends never> = Left;
/** There is none: a new error that doesn't compile here belongs in a list above. */
export type UnreachableError = None<Exclude<ErrorCode, ReachableError>>;
