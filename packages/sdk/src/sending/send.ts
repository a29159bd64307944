import { clientHeaders as names } from '@topup-kit/core/contract';
import type { UnknownOutcomeCause } from '../errors/index.ts';
import type { RequestMetadata } from '../errors/topup-error.ts';
import type { ResponseWithText } from '../results.ts';
import type { Config } from './config.ts';
import { headersOf } from './error-response.ts';
import { failureOf } from './failures.ts';
import { withoutKey } from './json.ts';
import { callOnRequest, logAttempt, reportResponse } from './observe.ts';
import { type Call, type PreparedRequest, prepare, type RouteCall } from './prepare.ts';
import { type RawResponse, readResponse, readText } from './read-response.ts';
import { createRetry, type Retry } from './retry.ts';

/** Converts the JSON of a successful response of `client.request`. Throws to reject it. */
export type ParseResponse = (body: unknown, response: Response, metadata: RequestMetadata) => unknown;

/**
 * Sends one call. It makes attempts until one succeeds, or until another attempt would be unsafe, too late, or over the limit. Every
 * rejection is a `TopupError`.
 */
export async function send(
  call: Call | RouteCall,
  config: Config,
  parse?: ParseResponse,
): Promise<ResponseWithText<unknown>> {
  const request = prepare(call, config);
  const { metadata, limits } = request;
  const deadline = performance.now() + limits.totalTimeout;
  let retry: Retry | undefined;
  for (;;) {
    const timeout = Math.max(1, Math.min(limits.timeout, deadline - performance.now()));
    const attemptsBefore = metadata.attempts;
    try {
      const received = await attempt(request, config, timeout);
      const { response, text } = received;
      const body = readResponse(received, metadata, request.apiKey);
      const { requestId, attempts, idempotencyKey } = metadata;
      if (call.operation !== 'request') {
        config.check?.(call.operation, body, response, metadata);
        hide(body as object, metadata); // Safe: only `client.request` can get another value.
      }
      const data = parse ? await parse(body, response, metadata) : body;
      return { data, response, text, requestId, attempts, idempotencyKey };
    } catch (error) {
      retry ??= createRetry(request, config, deadline);
      // Safe: every error above is an instance of one of these classes.
      await retry(error as UnknownOutcomeCause, metadata.attempts > attemptsBefore);
    }
  }
}

/** Adds metadata to a result as non-enumerable properties, so that users print, compare and store only the response itself. */
function hide(data: object, { requestId, idempotencyKey }: RequestMetadata): void {
  // A field of the response takes precedence.
  if (!Object.hasOwn(data, 'requestId')) Object.defineProperty(data, 'requestId', { value: requestId });
  if (idempotencyKey !== undefined)
    Object.defineProperty(data, 'idempotencyKey', { value: idempotencyKey, enumerable: false });
}

/** Sends the request once and reads the whole response within `timeout` milliseconds. Every rejection is a `TopupError`. */
async function attempt(request: PreparedRequest, config: Config, timeout: number): Promise<RawResponse> {
  const { url, metadata, body, signal, apiKey } = request;
  const { operation, method, idempotencyKey, attempts } = metadata;
  const { options, platform, observers } = config;
  const { fetch } = options;
  const started = performance.now();
  const received: Partial<RawResponse> = {};
  metadata.echoed = false;

  /** Async, so that an error thrown by the user's fetch becomes a rejection. */
  const exchange = async (ready: Request): Promise<Response> => {
    throwIfAborted(ready);
    // Headers are not an option of ky, because ky copies them many times.
    for (const [name, value] of request.headers) ready.headers.set(name, value);
    if (observers?.hooks.onRequest) {
      await callOnRequest(observers.hooks.onRequest, metadata, ready.headers, platform);
      throwIfAborted(ready);
    }
    metadata.attempts += 1;
    if (observers) logAttempt(observers.log.debug, metadata, 'is sent');
    // Looked up at each call, so that a fetch that is patched later (MSW, tracing) is used.
    const response = await (fetch ? fetch(ready) : platform.fetch(ready));
    // A fetch may ignore the signal. Its late response must not affect the next attempt.
    throwIfAborted(ready);
    config.reached = true;
    const requestId = response.headers.get(names.requestId);
    metadata.requestId = requestId === null ? undefined : withoutKey(requestId, apiKey);
    metadata.responseHeaders = () => headersOf(response, apiKey, platform);
    metadata.echoed = config.keySupport.update(
      response,
      operation === 'createOrder' ? idempotencyKey : undefined,
    );
    received.response = response;
    received.text = await readText(response, metadata, config.limitsBody);
    return response;
  };

  try {
    const cache = config.noStore && ({ cache: 'no-store' } as const);
    await config.http({ url, method, body, signal, timeout, ...cache, fetch: exchange });
  } catch (error) {
    // If the body of an error response is cut off, late or too large, the status is enough.
    if (received.response?.ok !== false || signal?.aborted)
      throw failureOf(error, request, config, timeout, metadata.attempts > attempts);
  }
  const raw = received as RawResponse; // Safe: either the request succeeded, or there is an error response.
  if (observers) reportResponse(observers, metadata, raw.response, performance.now() - started);
  return raw;
}

/** Throws if the signal has aborted, because Hermes has no `throwIfAborted`. */
function throwIfAborted({ signal }: Request): void {
  if (signal.aborted) throw signal.reason;
}
