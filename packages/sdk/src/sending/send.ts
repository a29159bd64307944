import { headers as names, type Operation, type Responses } from '@topup-kit/core/contract';
import {
  type RequestFacts,
  TopupAbortError,
  TopupNetworkError,
  TopupTimeoutError,
  TopupUsageError,
  type UnknownOutcomeCause,
} from '../errors/index.ts';
import type { Hooks } from '../options.ts';
import type { Config } from '../request/config.ts';
import { keepOwnHeaders, setAll } from '../request/headers.ts';
import { type Call, type PreparedRequest, prepare } from '../request/prepare.ts';
import type { Open } from '../types.ts';
import type { Exchange } from './call.ts';
import { isConnectFailure, type RawResponse, systemCodeOf, TimedOut } from './http.ts';
import { createOrderOutcome } from './idempotency.ts';
import { attemptOf, type Log, reportResponse, reportRetry } from './observe.ts';
import { type JsonObject, readResponse, responseFacts } from './read-response.ts';
import { backoff, maxDelay, sleep } from './retry-delay.ts';

/** Checks a successful response before it is returned to the user. Throws to reject it. */
export type CheckResponse = (body: JsonObject, response: Response, facts: RequestFacts, log: Log) => void;

/** Sends one call, with retries. Every rejection is a `TopupError`. */
export type Send = <Name extends Operation>(call: Call<Name>) => Promise<Exchange<Open<Responses[Name]>>>;

export function createSend(config: Config, check?: CheckResponse): Send {
  return async <Name extends Operation>(call: Call<Name>) => {
    const exchanged = await sendWithRetries(prepare(call, config), config, check);
    // safe if the server follows the contract: fields are neither removed nor converted
    return exchanged as Exchange<Open<Responses[Name]>>;
  };
}

/** Sends attempts until one succeeds, or until another would be unsafe, too late, or over the limit. */
async function sendWithRetries(
  request: PreparedRequest,
  config: Config,
  check: CheckResponse | undefined,
): Promise<Exchange<JsonObject>> {
  const { facts, limits, signal } = request;
  const deadline = performance.now() + limits.totalTimeout;
  const outcome = createOrderOutcome(facts, config.keySupport);
  for (let attempts = 1; ; attempts += 1) {
    const timeout = Math.max(1, Math.min(limits.timeout, deadline - performance.now()));
    try {
      return await exchange(request, config, check, timeout);
    } catch (error) {
      const failure = error as UnknownOutcomeCause; // safe: every rejection of `exchange` is one of these
      outcome.update(failure);
      const delay = requestedBy(failure) ?? backoff(attempts);
      const inTime = delay <= maxDelay && performance.now() + delay < deadline;
      const retry = failure.retryable && !signal?.aborted && attempts <= limits.maxRetries && inTime;
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

async function exchange(
  request: PreparedRequest,
  config: Config,
  check: CheckResponse | undefined,
  timeout: number,
): Promise<Exchange<JsonObject>> {
  const { facts } = request;
  const raw = await attempt(request, config, timeout);
  const data = readResponse(raw, facts, config.apiKey);
  check?.(data, raw.response, facts, config.log);
  const { attempts, idempotencyKey } = facts;
  return {
    data,
    response: raw.response,
    requestId: responseFacts(raw.response).requestId,
    attempts,
    idempotencyKey,
  };
}

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
    // Checked by class, because the user's own AbortSignal.timeout() rejects with an error named TimeoutError.
    if (error instanceof TimedOut) throw new TopupTimeoutError(facts, { timeout, sent });
    if (signal?.aborted) throw new TopupAbortError(facts, { cause: signal.reason, sent });
    const systemCode = systemCodeOf(error);
    throw new TopupNetworkError(facts, {
      cause: error,
      systemCode,
      sent: sent && !(config.builtInFetch && isConnectFailure(systemCode)),
    });
  }
}

async function fetchResponse(
  request: PreparedRequest,
  config: Config,
  timeout: number,
): Promise<RawResponse> {
  const { url, facts, headers, body, signal } = request;
  const { method, idempotencyKey } = facts;
  const started = performance.now();
  const raw = await config.http({
    url,
    method,
    headers,
    body,
    signal,
    timeout,
    fetch: (ready) => fetchOnce(request, config, ready),
    onResponse(response) {
      if (idempotencyKey) facts.echoed = config.keySupport.update(response, idempotencyKey);
    },
  });
  const { status, headers: responseHeaders } = raw.response;
  reportResponse(config, request, {
    status,
    headers: responseHeaders,
    duration: performance.now() - started,
  });
  return raw;
}

/** Async, so that a synchronous error of the user's fetch becomes a rejection. */
async function fetchOnce(request: PreparedRequest, config: Config, ready: Request): Promise<Response> {
  const { facts } = request;
  ready.signal.throwIfAborted();
  const { onRequest } = config.hooks;
  if (onRequest) await callOnRequest(onRequest, request, ready.headers);
  ready.signal.throwIfAborted();
  facts.attempts += 1;
  config.log.debug?.('sending', { ...attemptOf(request) });
  return config.fetch(ready);
}

async function callOnRequest(
  onRequest: NonNullable<Hooks['onRequest']>,
  request: PreparedRequest,
  headers: Headers,
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
  setAll(headers, shown);
  keepOwnHeaders(headers, request.headers);
}
