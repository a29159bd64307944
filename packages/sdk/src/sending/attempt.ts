import { headers as names } from '@topup-kit/core/contract';
import { TopupAbortError, TopupNetworkError, TopupTimeoutError, TopupUsageError } from '../errors/index.ts';
import type { Hooks } from '../options.ts';
import type { Config } from '../request/config.ts';
import { keepOwnHeaders, setAll } from '../request/headers.ts';
import type { PreparedRequest } from '../request/prepare.ts';
import { type RawAnswer, TimedOut } from './http.ts';
import { answered, attemptOf } from './observe.ts';
import { neverConnected, systemCodeOf } from './system-error.ts';

/** Sends the request once and reads the whole answer, in the milliseconds given; fails only with an error of ours. */
export async function attempt(request: PreparedRequest, config: Config, timeout: number): Promise<RawAnswer> {
  const { facts, signal } = request;
  const attemptsBefore = facts.attempts;
  facts.echoed = false;
  try {
    return await fetchAnswer(request, config, timeout);
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
      sent: sent && !(config.tellsConnecting && neverConnected(systemCode)),
    });
  }
}

async function fetchAnswer(request: PreparedRequest, config: Config, timeout: number): Promise<RawAnswer> {
  const { url, facts, headers, body, signal } = request;
  const { method, idempotencyKey } = facts;
  const started = performance.now();
  const answer = await config.http({
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
  const { status, headers: answeredHeaders } = answer.response;
  answered(config, request, { status, headers: answeredHeaders, duration: performance.now() - started });
  return answer;
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
