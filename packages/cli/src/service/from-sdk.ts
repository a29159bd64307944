import { endpoints, errors, type Operation } from '@topup-kit/core/contract';
import {
  type AnyTopupError,
  isTopupError,
  type TopupHttpError,
  type TopupUnknownOutcomeError,
  type TopupUsageError,
  type TopupWaitError,
} from '@topup-kit/sdk/light';
import { CliError, exitCodeOfStatus, exitCodes, stopCodeOf, usageError } from '../errors/cli-error.ts';
import { isObject } from '../json.ts';
import { invalidBaseUrl } from './connection.ts';
import { baseUrlHint, type ErrorContext, hintFor, sameOrderAgain } from './hints.ts';

/** Returns the English message of an error code; undefined for unknown codes, and for messages with placeholders. */
function englishMessage(code: string): string | undefined {
  const known = Object.entries(errors).find(([name]) => name === code)?.[1].message.en;
  return known?.includes('{') ? undefined : known;
}

/** Returns the full URL that the service doesn't have; undefined for any other error. */
function missingUrl({ code, operation }: TopupHttpError, { connection }: ErrorContext): string | undefined {
  if (code !== 'ROUTE_NOT_FOUND' || operation === undefined || operation === 'request') return undefined;
  return `No route was found at ${connection.baseUrl.replace(/\/+$/, '')}${endpoints[operation].path}.`;
}

function httpError(error: TopupHttpError, context: ErrorContext): CliError {
  const { code, status, serverMessage, fields, requestId } = error;
  const english = missingUrl(error, context) ?? englishMessage(code);
  return new CliError(english ?? serverMessage ?? `The service responded with status ${status}.`, {
    code,
    exitCode: exitCodeOfStatus(status),
    hint: hintFor(error, context),
    serverMessage: english === undefined || english === serverMessage ? undefined : serverMessage,
    requestId: requestId ?? null,
    fields,
    cause: error,
  });
}

function usage({ code, message, cause }: TopupUsageError, { connection }: ErrorContext): CliError {
  // The error comes from the command itself, which was waiting for the next response.
  if (cause instanceof CliError) return cause;
  switch (code) {
    case 'INVALID_BASE_URL':
      return invalidBaseUrl(connection);
    case 'INVALID_API_KEY':
      return usageError(
        `The key of ${connection.keySource} is not valid: a key is visible ASCII characters without spaces.`,
      );
    case 'INVALID_IDEMPOTENCY_KEY':
      return usageError('--idempotency-key takes 1 to 255 visible ASCII characters without spaces.');
    default:
      return usageError(message);
  }
}

/** Returns the error for an order with an unknown outcome, with the next step. */
function unknownOutcome(
  { cause, idempotencyKey }: TopupUnknownOutcomeError,
  context: ErrorContext,
): CliError {
  const hint = sameOrderAgain(idempotencyKey);
  return fromSdkError(cause, context).with({ exitCode: exitCodes.unknownOutcome, hint, idempotencyKey });
}

/** Returns the error for a wait that ended without a result, with the last response or the last failure. */
function waitError(error: TopupWaitError, context: ErrorContext): CliError {
  const { code, message, lastState, cause } = error;
  if (code === 'STATUS_UNAVAILABLE')
    return new CliError(message, { code, exitCode: exitCodes.notFound, cause: error });
  const failure = isTopupError(cause) ? fromSdkError(cause, context) : undefined;
  if (!failure)
    return new CliError('The order is still pending.', {
      code,
      exitCode: exitCodes.unknownOutcome,
      cause: error,
    });
  const lastSeen = lastState ? `; last seen ${lastState.payment_status} / ${lastState.buy_status}` : '';
  const neverAnswered = !lastState && failure.details.exitCode === exitCodes.network;
  return new CliError(`${failure.message.replace(/\.$/, '')}${lastSeen}.`, {
    code,
    exitCode: neverAnswered ? exitCodes.network : exitCodes.unknownOutcome,
    cause: error,
  });
}

const inSeconds = (milliseconds: number): string => String(Math.round(milliseconds / 100) / 10);

export function fromSdkError(error: AnyTopupError, context: ErrorContext): CliError {
  return notOffered(error, context) ?? fromKind(error, context);
}

function fromKind(error: AnyTopupError, context: ErrorContext): CliError {
  const { baseUrl, urlFrom, urlSource } = context.connection;
  const { code } = error;
  switch (error.name) {
    case 'TopupHttpError':
      return httpError(error, context);
    case 'TopupUsageError':
      return usage(error, context);
    case 'TopupUnknownOutcomeError':
      return unknownOutcome(error, context);
    case 'TopupNetworkError':
      return new CliError(`No response from ${baseUrl} (${error.systemCode ?? 'the connection failed'}).`, {
        code,
        exitCode: exitCodes.network,
        hint:
          error.systemCode === 'EPROTO'
            ? `Check the scheme of ${urlSource}: the service may speak http, not https.`
            : urlFrom === 'default'
              ? `Start a sandbox with \`${context.program} serve --sandbox\`, or set TOPUP_BASE_URL to your service.`
              : `Check that the service is up, and that ${urlSource} is its base URL.`,
        cause: error,
      });
    case 'TopupTimeoutError':
      return new CliError(`No response from ${baseUrl} within ${inSeconds(error.timeout)} seconds.`, {
        code,
        exitCode: exitCodes.network,
        hint: 'Try again; the service may be busy.',
        cause: error,
      });
    case 'TopupAbortError':
      return new CliError('Stopped before the response came.', {
        code,
        exitCode: stopCodeOf(error.cause),
        cause: error,
      });
    case 'TopupResponseError':
      return new CliError(`${baseUrl} did not respond with the interface's JSON.`, {
        code,
        exitCode: exitCodes.failure,
        hint: baseUrlHint(baseUrl),
        cause: error,
      });
    case 'TopupWaitError':
      return waitError(error, context);
    case 'TopupWebhookError':
      return new CliError(error.message, { code, exitCode: exitCodes.rejected, cause: error });
  }
}

/** Operations that the interface requires; all others are optional. */
const promised: readonly Operation[] = ['listGames', 'createOrder'];

/** Tells whether a response means that the route doesn't exist. A response with `success: false` rejects the request instead. */
function isMissingRoute({ status, code, body }: TopupHttpError): boolean {
  if (code === 'ROUTE_NOT_FOUND' || status === 405) return true;
  const isRejection = isObject(body) && 'success' in body;
  return status === 404 && code === 'NOT_FOUND' && !isRejection;
}

function isMissing(error: AnyTopupError): boolean {
  if (error.name === 'TopupHttpError') return isMissingRoute(error);
  return error.name === 'TopupResponseError' && error.code === 'NOT_JSON';
}

/** Returns the error if a service lacks an optional operation; undefined for any other error. */
function notOffered(error: AnyTopupError, { connection }: ErrorContext): CliError | undefined {
  const { operation } = error;
  if (operation === undefined || operation === 'request') return undefined;
  if (promised.includes(operation) || !isMissing(error)) return undefined;
  const { method, path } = endpoints[operation];
  return new CliError(`This service does not support this command: it has no ${method} ${path}.`, {
    code: 'NOT_OFFERED',
    exitCode: exitCodes.notFound,
    hint: `The interface guarantees only listing games and placing orders. ${baseUrlHint(connection.baseUrl)}`,
    cause: error,
  });
}
