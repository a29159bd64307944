import type { ErrorCode } from '@topup-kit/core/contract';
import type { TopupHttpError } from '@topup-kit/sdk';
import { counted } from '../output/format.ts';
import { printable, slugWord } from '../output/text.ts';
import type { ServiceConnection } from './connection.ts';

export function baseUrlHint(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return url?.pathname === '/'
    ? `The base URL has no path, which is often /api. Try ${printable(url.origin)}/api.`
    : 'Check that the base URL is the address of the API, which often ends in /api, and not a web page.';
}

/** Hints about the upgrade of a store; the error's message names the command. */
export const upgradeHints = {
  file: 'Stop its server first. The command first copies the file.\nA server of this version does the same when it starts.',
  postgres:
    'Make a backup with pg_dump first. Servers of the previous version can keep running.\nA server of this version does the same when it starts.',
} as const;

/** Next step for a store or a backup of a newer version. Restoring another backup would lose newer data. */
export const updateHint =
  'Update topup first: it must be at least as new as the version that wrote the store.';

/** Returns the hint for an order with an unknown outcome. */
export const sameOrderAgain = (idempotencyKey: string | undefined): string =>
  `It is unknown whether the order was placed. Run the same command again with
  --idempotency-key ${idempotencyKey}
A service that honours the key places no second order; with any other service, look for the order first.`;

function wrongKey({ connection: { apiKey, keyFrom, keySource }, program }: ErrorContext): string {
  const used =
    keyFrom === 'default'
      ? 'The well-known key was used, which works only for a sandbox on this machine. Commands that show the store need no key: orders list, and orders show ID --history.'
      : `The key used came from ${keySource}${apiKey.length < 20 ? '' : `, ending in ${apiKey.slice(-4)}`}.`;
  return `${used}
Set another key with TOPUP_API_KEY, --key-file or login. On your own server, this creates one:
  ${program} keys create --name my-key`;
}

type Hint = (context: ErrorContext) => string;

const showGame = ({ commandLine, game }: ErrorContext): string => commandLine(`games show ${slugWord(game)}`);

const seeGame: Hint = (context) =>
  `This lists the game's products and payment methods, with their limits:\n  ${showGame(context)}`;

const byCode: Partial<Record<ErrorCode, Hint>> = {
  UNAUTHORIZED: wrongKey,
  FORBIDDEN: ({ program }) =>
    `Use a key that may do this. On your own server, this creates one:\n  ${program} keys create --name my-key`,
  VALIDATION_ERROR: (context) => `What an order of a game needs:\n  ${showGame(context)}`,
  GAME_NOT_FOUND: ({ commandLine }) =>
    `This lists the games and their slugs:\n  ${commandLine('games list')}`,
  GAME_CLOSED: ({ commandLine }) =>
    `This lists the games, and which are open:\n  ${commandLine('games list')}`,
  PRODUCT_NOT_FOUND: seeGame,
  PRODUCT_CLOSED: seeGame,
  PRODUCT_OUT_OF_STOCK: seeGame,
  PRODUCT_GAME_MISMATCH: seeGame,
  PAYMENT_METHOD_NOT_FOUND: seeGame,
  PAYMENT_METHOD_CLOSED: seeGame,
  PAYMENT_LIMIT: seeGame,
  INVOICE_NOT_FOUND: () => "Check the order id. Only keys of the order's account can see it.",
  ROUTE_NOT_FOUND: ({ connection }) => baseUrlHint(connection.baseUrl),
  IDEMPOTENCY_CONFLICT: () =>
    'The key belongs to another order: repeat that one, or leave --idempotency-key out.',
};

const byStatus: Record<number, Hint> = {
  401: wrongKey,
  404: ({ connection }) => baseUrlHint(connection.baseUrl),
};

/** Returns the hint to wait. `retryAfter` is the service's requested delay in milliseconds; most limits are per minute. */
function waitHint(retryAfter: number | undefined): string {
  const seconds = Math.ceil((retryAfter ?? 60_000) / 1_000);
  return `Wait ${counted(Math.max(1, seconds), 'second')} before you try again.`;
}

const isPromo = (code: string): boolean => code.startsWith('PROMO_');

/** Returns the next step after an error response; undefined if the message is sufficient. */
export function hintFor(
  { code, status, operation, retryAfter, orderId }: TopupHttpError,
  context: ErrorContext,
): string | undefined {
  if (isPromo(code) && operation === 'validatePromo') return 'An order with this code would be rejected.';
  if (isPromo(code)) return 'Nothing was ordered. Leave --promo out, or try another code.';
  if (status === 429) return waitHint(retryAfter);
  if (code === 'IDEMPOTENCY_KEY_USED' && orderId !== undefined)
    return `Nothing was ordered again. This shows the order of the key:\n  ${context.commandLine(`invoices show ${slugWord(orderId)}`)}`;
  if (code === 'VALIDATION_ERROR' && operation === 'listOrders')
    return `This lists the flags:\n  ${context.program} orders mine --help`;
  const hint = Object.entries(byCode).find(([name]) => name === code)?.[1] ?? byStatus[status];
  if (hint) return hint(context);
  if (status < 400)
    return 'Redirects are not followed, because they would pass on the key: set the base URL to the target.';
  return undefined;
}

export interface ErrorContext {
  connection: ServiceConnection;
  /** Command with which the user started the program. */
  program: string;
  commandLine(args: string): string;
  /** Slug of the requested game, if the request names a game. */
  game?: string | undefined;
}
