import { errors } from '@topup-kit/core/contract';
import type { AnyTopupError, TopupHttpError, TopupUsageError } from '@topup-kit/sdk';
import { invalidBaseUrl } from '../connection.ts';
import type { Asked } from './asked.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { baseUrlHint, hintFor, sameOrderAgain } from './hints.ts';
import { Problem, usageProblem } from './problem.ts';
import { systemCode } from './system-code.ts';

/** Failures to connect: nothing was sent, so nothing was changed. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Codes of the service that say that no order was made, although the service failed. */
const nothingMade = new Set<string>(['PAYMENT_FAILED', 'SAVE_FAILED'] satisfies (keyof typeof errors)[]);

function exitCodeOf({ status, code, idempotencyKey }: TopupHttpError): ExitCode {
  if (status === 401 || status === 403) return exitCodes.auth;
  if (status === 404) return exitCodes.notFound;
  if (status === 429) return exitCodes.rateLimited;
  if (status >= 400 && status < 500) return exitCodes.rejected;
  return status >= 500 && idempotencyKey !== undefined && !nothingMade.has(code)
    ? exitCodes.unknownOutcome
    : exitCodes.failure;
}

/** The error table's English message; undefined for other codes, and where it has words to fill in. */
function englishMessage(code: string): string | undefined {
  const known = Object.entries(errors).find(([name]) => name === code)?.[1].message.en;
  return known?.includes('{') ? undefined : known;
}

function httpProblem(error: TopupHttpError, asked: Asked): Problem {
  const { code, status, serverMessage, fields, requestId, idempotencyKey } = error;
  const english = englishMessage(code);
  const exitCode = exitCodeOf(error);
  const unknown = exitCode === exitCodes.unknownOutcome;
  return new Problem(english ?? serverMessage ?? `The service answered with status ${status}.`, {
    code,
    exitCode,
    hint: unknown ? sameOrderAgain(idempotencyKey) : hintFor(error, asked),
    serverMessage: english === undefined || english === serverMessage ? undefined : serverMessage,
    requestId: requestId ?? null,
    fields,
    idempotencyKey: unknown ? idempotencyKey : undefined,
    cause: error,
  });
}

function usage({ code, message }: TopupUsageError, { connection }: Asked): Problem {
  switch (code) {
    case 'INVALID_BASE_URL':
      return invalidBaseUrl(connection);
    case 'INVALID_API_KEY':
      return usageProblem('TOPUP_API_KEY takes visible ASCII characters without spaces.');
    case 'INVALID_IDEMPOTENCY_KEY':
      return usageProblem('--idempotency-key takes 1 to 255 visible ASCII characters without spaces.');
    default:
      return usageProblem(message);
  }
}

/** An exchange that ended without a usable answer; for an order that was sent, the outcome is unknown. */
function unanswered(
  error: Exclude<AnyTopupError, TopupHttpError | TopupUsageError>,
  message: string,
  otherwise: { exitCode: ExitCode; hint?: string },
): Problem {
  const { code, idempotencyKey } = error;
  const unknown = idempotencyKey !== undefined && !neverSent.has(systemCode(error.cause) ?? '');
  return new Problem(message, {
    code,
    ...(unknown
      ? { exitCode: exitCodes.unknownOutcome, hint: sameOrderAgain(idempotencyKey), idempotencyKey }
      : otherwise),
    cause: error,
  });
}

/** A failure of the SDK in the words of the command line. */
export function apiProblem(error: AnyTopupError, asked: Asked): Problem {
  const { baseUrl, urlFrom } = asked.connection;
  switch (error.name) {
    case 'TopupHttpError':
      return httpProblem(error, asked);
    case 'TopupUsageError':
      return usage(error, asked);
    case 'TopupNetworkError': {
      const reason = systemCode(error.cause) ?? 'the connection failed';
      return unanswered(error, `No answer from ${baseUrl} (${reason}).`, {
        exitCode: exitCodes.network,
        hint:
          urlFrom === 'default'
            ? `Start a sandbox with \`${asked.program} serve --sandbox\`, or set TOPUP_BASE_URL to your service.`
            : `Check that the service is up, and that ${urlFrom} is its base URL.`,
      });
    }
    case 'TopupTimeoutError':
      return unanswered(error, `No answer from ${baseUrl} within ${error.timeout / 1000} seconds.`, {
        exitCode: exitCodes.network,
        hint: 'Try again; the service may be busy.',
      });
    case 'TopupAbortError':
      return unanswered(error, 'Stopped before the answer came.', {
        exitCode: error.cause === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted,
      });
    case 'TopupResponseError':
      return unanswered(error, `${baseUrl} answered with something else than the interface's JSON.`, {
        exitCode: exitCodes.failure,
        hint: baseUrlHint,
      });
  }
}
