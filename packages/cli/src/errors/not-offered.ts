import { endpoints, type Operation } from '@topup-kit/core/contract';
import type { AnyTopupError, TopupHttpError } from '@topup-kit/sdk';
import { exitCodes } from './exit-codes.ts';
import { baseUrlHint } from './hints.ts';
import { Problem } from './problem.ts';

/** All that the interface promises; a service may have any of the others, or none. */
const promised: readonly Operation[] = ['listGames', 'createOrder'];

/** How services say that they have no such route; one that says `success: false` refuses what was asked of it. */
function isMissingRoute({ status, code, body }: TopupHttpError): boolean {
  if (code === 'ROUTE_NOT_FOUND' || status === 405) return true;
  const isRefusal = typeof body === 'object' && body !== null && 'success' in body;
  return status === 404 && code === 'NOT_FOUND' && !isRefusal;
}

function isMissing(error: AnyTopupError): boolean {
  if (error.name === 'TopupHttpError') return isMissingRoute(error);
  return error.name === 'TopupResponseError' && error.code === 'NOT_JSON';
}

/** A question that a service doesn't take and needn't; undefined for any other failure. */
export function notOffered(error: AnyTopupError): Problem | undefined {
  const { operation } = error;
  if (operation === undefined || promised.includes(operation) || !isMissing(error)) return undefined;
  const { method, path } = endpoints[operation];
  return new Problem(`This service doesn't offer that: it has no ${method} ${path}.`, {
    code: 'NOT_OFFERED',
    exitCode: exitCodes.notFound,
    hint: `The interface promises only the list of games and placing orders. ${baseUrlHint}`,
    cause: error,
  });
}
