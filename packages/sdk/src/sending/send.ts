import { clientHeaders as names, type Operation } from '@topup-kit/core/contract';
import {
  type RequestFacts,
  TopupAbortError,
  TopupNetworkError,
  TopupResponseError,
  TopupTimeoutError,
  TopupUsageError,
  type UnknownOutcomeCause,
} from '../errors/index.ts';
import type { Responses } from '../generated/types.ts';
import type { Hooks } from '../options.ts';
import { inBrowser } from '../request/check-options.ts';
import { addHeaders } from '../request/headers.ts';
import {
  type Call,
  type PreparedRequest,
  prepare,
  prepareRoute,
  type RouteCall,
} from '../request/prepare.ts';
import type { TextExchange, WithRequestId } from './call.ts';
import type { Config } from './config.ts';
import { isTlsFailure, isUnsent, type RawResponse, systemCodeOf, TimedOut } from './http.ts';
import { createOrderOutcome } from './idempotency.ts';
import { attemptOf, type Log, logAttempt, reportResponse, reportRetry } from './observe.ts';
import { headersOf, readResponse, readText, requestIdOf } from './read-response.ts';
import { backoff, maxDelay, sleep } from './retry-delay.ts';

/** Checks a successful response before it is returned to the user. Throws to reject it. */
export type CheckResponse = (
  operation: Operation,
  body: unknown,
  response: Response,
  facts: RequestFacts,
  log: Log,
) => void;

/** Converts the JSON of a successful response of `client.request`. Throws to reject it. */
export type ParseResponse = (body: unknown, response: Response, facts: RequestFacts) => unknown;

/** Sends one call of an operation, with retries. Every rejection is a `TopupError`. */
export type Send = <Name extends Operation>(
  call: Call<Name>,
) => Promise<TextExchange<WithRequestId<Responses[Name]>>>;

/** Sends one call of any route, in the same way. */
export type SendRoute = (call: RouteCall, parse: ParseResponse | undefined) => Promise<TextExchange<unknown>>;

export function createSend(config: Config, check?: CheckResponse): Send {
  return async <Name extends Operation>(call: Call<Name>) => {
    const exchanged = await sendWithRetries(prepare(call, config), config, (body, ...about) => {
      check?.(call.operation, body, ...about, config.log);
      return body;
    });
    // safe if the server follows the contract: fields are neither removed nor converted
    const typed = exchanged as TextExchange<WithRequestId<Responses[Name]>>;
    const { data, requestId } = typed;
    // Not enumerable, so that users print, compare and store only the response itself. A field of the response wins.
    if (!Object.hasOwn(data, 'requestId')) Object.defineProperty(data, 'requestId', { value: requestId });
    return typed;
  };
}

export const createSendRoute =
  (config: Config): SendRoute =>
  async (call, parse = (body) => body) =>
    sendWithRetries(prepareRoute(call, config), config, parse);

/** Sends attempts until one succeeds, or until another would be unsafe, too late, or over the limit. */
async function sendWithRetries(
  request: PreparedRequest,
  config: Config,
  parse: ParseResponse,
): Promise<TextExchange<unknown>> {
  const { facts, limits, signal } = request;
  const deadline = performance.now() + limits.totalTimeout;
  const outcome = createOrderOutcome(facts, request.keySupported ? { honoured: true } : config.keySupport);
  for (let count = 1; ; count += 1) {
    const timeout = Math.max(1, Math.min(limits.timeout, deadline - performance.now()));
    const attemptsBefore = facts.attempts;
    try {
      const raw = await attempt(request, config, timeout);
      const data = await parse(readResponse(raw, facts, request.apiKey), raw.response, facts);
      const { requestId, attempts, idempotencyKey } = facts;
      return { data, ...raw, requestId, attempts, idempotencyKey };
    } catch (error) {
      const failure = error as UnknownOutcomeCause; // safe: whatever is thrown above is one of these
      // A call that was aborted between two attempts says nothing new.
      if (facts.attempts > attemptsBefore) outcome.update(failure);
      const delay = requestedBy(failure) ?? backoff(count);
      const inTime = delay <= maxDelay && performance.now() + delay < deadline;
      const retry = failure.retryable && !signal?.aborted && count <= limits.maxRetries && inTime;
      if (!retry || !outcome.maySendAgain()) throw outcome.errorFor(failure);
      reportRetry(config, request, failure, delay);
      await sleep(delay, signal);
      // During the wait, the response to another call may have shown that the key is not honoured.
      if (!outcome.maySendAgain()) throw outcome.errorFor(failure);
    }
  }
}

const requestedBy = (failure: UnknownOutcomeCause): number | undefined =>
  failure.name === 'TopupHttpError' ? failure.retryAfter : undefined;

/** Sends the request once and reads the whole response within `timeout` milliseconds. Every rejection is a `TopupError`. */
async function attempt(request: PreparedRequest, config: Config, timeout: number): Promise<RawResponse> {
  const { facts, signal } = request;
  const attemptsBefore = facts.attempts;
  facts.echoed = false;
  try {
    return await fetchResponse(request, config, timeout);
  } catch (error) {
    const sent = facts.attempts > attemptsBefore;
    if (error instanceof TopupUsageError && !sent) throw error;
    if (error instanceof TopupResponseError) throw error;
    // Checked by class, because the user's own AbortSignal.timeout() rejects with an error named TimeoutError.
    if (error instanceof TimedOut) throw new TopupTimeoutError(facts, { timeout, sent });
    if (signal?.aborted) throw new TopupAbortError(facts, signal.reason);
    const systemCode = systemCodeOf(error);
    throw new TopupNetworkError(facts, adviceFor(facts.origin, systemCode), {
      cause: error,
      systemCode,
      sent: sent && !(config.builtInFetch && isUnsent(systemCode, config.reached)),
    });
  }
}

function adviceFor(origin: string, systemCode: string | undefined): string {
  if (isTlsFailure(systemCode)) return 'Check the scheme of baseUrl.';
  if (inBrowser() && origin !== globalThis.location?.origin)
    return 'Allow CORS there, or set baseUrl to the path of @topup-kit/sdk/proxy on your server.';
  return 'Check that it is up and reachable.';
}

async function fetchResponse(
  request: PreparedRequest,
  config: Config,
  timeout: number,
): Promise<RawResponse> {
  const { url, facts, body, signal } = request;
  let received: Response | undefined;
  let text: string | undefined;
  const started = performance.now();
  const sent = config.http({
    url,
    method: facts.method,
    body,
    signal,
    timeout,
    ...(config.noStore && { cache: 'no-store' }),
    async fetch(ready) {
      received = await fetchOnce(request, config, ready);
      text = await readText(received, facts);
      return received;
    },
  });
  const response = await sent.catch((error) => {
    // The status of an error response is enough when its body is cut off, late or too large.
    if (received && !received.ok && !signal?.aborted) return received;
    throw error;
  });
  reportResponse(config, request, {
    status: response.status,
    headers: response.headers,
    duration: performance.now() - started,
  });
  return { response, text };
}

/** Async, so that a synchronous error of the user's fetch becomes a rejection. */
async function fetchOnce(request: PreparedRequest, config: Config, ready: Request): Promise<Response> {
  const { facts } = request;
  const { signal } = ready;
  // Hermes has no `throwIfAborted`.
  const throwIfAborted = (): void => {
    if (signal.aborted) throw signal.reason;
  };
  throwIfAborted();
  // Not as an option of ky, which copies it many times.
  for (const [name, value] of request.headers) ready.headers.set(name, value);
  const { onRequest } = config.hooks;
  if (onRequest) await callOnRequest(onRequest, request, ready.headers, config);
  throwIfAborted();
  facts.attempts += 1;
  logAttempt(config.log.debug, request, 'is sent');
  const response = await config.fetch(ready);
  // A fetch may ignore the signal. Then its late response must not change what is known of the next attempt.
  throwIfAborted();
  config.reached = true;
  const { operation, idempotencyKey } = facts;
  facts.requestId = requestIdOf(response, request.apiKey);
  facts.responseHeaders = () => headersOf(response, request.apiKey, config.Headers);
  facts.echoed = config.keySupport.update(response, operation === 'createOrder' ? idempotencyKey : undefined);
  return response;
}

async function callOnRequest(
  onRequest: NonNullable<Hooks['onRequest']>,
  request: PreparedRequest,
  headers: Headers,
  { Headers }: Config,
): Promise<void> {
  const { facts } = request;
  // The hook gets a copy without the API key, because it may store or log the headers.
  const shown = new Headers(headers);
  shown.delete(names.apiKey);
  try {
    await onRequest({ ...attemptOf(request), attempt: facts.attempts + 1, headers: shown });
  } catch (error) {
    throw new TopupUsageError('HOOK_FAILED', 'the hook onRequest threw, see error.cause.', facts, error);
  }
  addHeaders(headers, shown);
}
