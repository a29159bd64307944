import {
  type Dialect,
  dependsOnLanguage,
  type ErrorArguments,
  type ErrorCode,
  type ErrorDefinition,
  type ErrorShape,
  errorBody,
  errorShapes,
  errors,
  headers,
  kitDialect,
  type Locale,
  type LocaleSettings,
  namedOrder,
  type OutsideRequest,
} from '../contract/index.ts';
import { DomainError } from '../engine/index.ts';
import { StoreError } from '../store/index.ts';
import { headerFilter } from './dialect.ts';
import { jsonResponse, languageHeaders, type PlainResponse } from './http.ts';
import { type AppSettings, resolveDialect } from './settings.ts';

/** An error with additional response headers, such as `Allow` or `Retry-After`. */
export class DomainErrorWithHeaders<Code extends ErrorCode = ErrorCode> extends DomainError<Code> {
  readonly headers: Record<string, string>;

  constructor(code: Code, headers: Record<string, string>, ...details: ErrorArguments<Code>) {
    super(code, ...details);
    this.headers = headers;
  }
}

/** Converts an error to the one that the client sees. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof StoreError && error.retryAfter !== null)
    return new DomainErrorWithHeaders(
      'UNAVAILABLE',
      { [headers.retryAfter]: String(error.retryAfter) },
      { cause: error },
    );
  return new DomainError('SERVER_ERROR', { cause: error });
}

export function errorResponse(
  error: DomainError,
  shape: ErrorShape,
  settings: LocaleSettings,
  outside?: OutsideRequest,
): PlainResponse {
  const { status, retryAfter }: ErrorDefinition = errors[error.code];
  const { orderId } = namedOrder(error);
  return jsonResponse(status, errorBody(error, shape, settings, outside), {
    ...(dependsOnLanguage(error.code) && languageHeaders(settings.locale)),
    ...(retryAfter !== undefined && { [headers.retryAfter]: String(retryAfter) }),
    ...(error instanceof DomainErrorWithHeaders && error.headers),
    ...(orderId !== undefined && { [headers.idempotencyOrder]: orderId }),
    [headers.errorCode]: error.code,
  });
}

/**
 * Creates a host's responses while it accepts no requests: one for the interface, in its dialect, and one for other paths. The host has
 * done nothing for a request with this response.
 */
export function busyResponses(
  settings: AppSettings,
  locale: Locale,
): Record<'interface' | 'other', PlainResponse> {
  const { dialect } = resolveDialect(settings);
  const error = new DomainErrorWithHeaders('UNAVAILABLE', { [headers.retryAfter]: '1' });
  const respond = (shapes: Dialect, language: Locale): PlainResponse =>
    errorResponse(error, errorShapes(shapes)(error.code), { ...settings, locale: language });
  const own = respond(dialect, dialect.language === 'fixed' ? settings.locale : locale);
  return {
    interface: headerFilter(dialect)?.(own) ?? own,
    other: respond(kitDialect, locale),
  };
}

/** Creates a host's response to a path that it does not serve. */
export const notFoundResponse = (settings: AppSettings, locale: Locale): PlainResponse => {
  const error = new DomainError('ROUTE_NOT_FOUND');
  return errorResponse(error, errorShapes(kitDialect)(error.code), { ...settings, locale });
};
