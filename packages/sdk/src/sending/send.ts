import { type Answers, headers as names, type Operation } from '@topup-kit/core/contract';
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
import { backoff, maxDelayMs, sleep } from './retry-delay.ts';

/** Looks at a successful answer before the user does; throws when it is not to be handed out. */
export type CheckResponse = (body: JsonObject, response: Response, facts: RequestFacts, log: Log) => void;

/** Sends one call, as often as it may; rejects with a `TopupError` and nothing else. */
export type Send = <Name extends Operation>(call: Call<Name>) => Promise<Exchange<Open<Answers[Name]>>>;

export function createSend(config: Config, check?: CheckResponse): Send {
  return async <Name extends Operation>(call: Call<Name>) => {
    const exchanged = await sendWithRetries(prepare(call, config), config, check);
    // safe as far as the server keeps the contract: unknown fields stay, nothing is converted
    return exchanged as Exchange<Open<Answers[Name]>>;
  };
}

/** Attempts until one succeeds, or another one could do harm or would come too late. */
async function sendWithRetries(
  request: PreparedRequest,
  config: Config,
  check: CheckResponse | undefined,
): Promise<Exchange<JsonObject>> {
  const { facts, limits, signal } = request;
  const deadline = performance.now() + limits.totalTimeout;
  const outcome = createOrderOutcome(facts, config.keySupport);
  for (let tries = 1; ; tries += 1) {
    const timeout = Math.max(1, Math.min(limits.timeout, deadline - performance.now()));
    try {
      return await exchange(request, config, check, timeout);
    } catch (error) {
      const failure = error as UnknownOutcomeCause; // safe: `exchange` fails with nothing else
      outcome.learn(failure);
      const delay = requestedBy(failure) ?? backoff(tries);
      const inTime = delay <= maxDelayMs && performance.now() + delay < deadline;
      const again = failure.retryable && !signal?.aborted && tries <= limits.maxRetries && inTime;
      if (!again || !outcome.maySendAgain()) throw outcome.ending(failure);
      reportRetry(config, request, failure, delay);
      await sleep(delay, signal);
      // Another call may have learned meanwhile that the key is not honoured.
      if (!outcome.maySendAgain()) throw outcome.ending(failure);
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

/** Sends the request once and reads the whole answer, in the milliseconds given; fails only with an error of ours. */
async function attempt(request: PreparedRequest, config: Config, timeout: number): Promise<RawResponse> {
  const { facts, signal } = request;
  const attemptsBefore = facts.attempts;
  facts.echoed = false;
  try {
    return await fetchResponse(request, config, timeout);
  } catch (error) {
    const sent = facts.attempts > attemptsBefore;
    if (error instanceof TopupUsageError && !sent) throw error;
    // The caller's own AbortSignal.timeout() ends in an error of that name too.
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
      if (idempotencyKey) facts.echoed = config.keySupport.learn(response, idempotencyKey);
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

/** Asynchronous: a fetch of the user's that throws at once rejects here. */
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
  // A copy without the key, as a hook may keep it.
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
