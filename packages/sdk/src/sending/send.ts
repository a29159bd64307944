import type { Answers, Operation } from '@topup-kit/core/contract';
import type { UnknownOutcomeCause } from '../errors/index.ts';
import type { Open } from '../open.ts';
import type { Config } from '../request/config.ts';
import { type Call, type PreparedRequest, prepare } from '../request/prepare.ts';
import type { RequestFacts } from '../request/request-facts.ts';
import { attempt } from './attempt.ts';
import type { Exchange } from './call.ts';
import type { Log } from './log.ts';
import { retrying } from './observe.ts';
import { createOrderOutcome } from './order-outcome.ts';
import { type JsonObject, readAnswer, responseFacts } from './read-answer.ts';
import { backoff, longestDelay } from './retry-delay.ts';
import { sleep } from './sleep.ts';

/** Looks at a successful answer before the user does; throws when it is not to be handed out. */
export type CheckAnswer = (body: JsonObject, response: Response, facts: RequestFacts, log: Log) => void;

/** Sends one call, as often as it may; rejects with a `TopupError` and nothing else. */
export type Send = <Name extends Operation>(call: Call<Name>) => Promise<Exchange<Open<Answers[Name]>>>;

export function createSend(config: Config, check?: CheckAnswer): Send {
  return async <Name extends Operation>(call: Call<Name>) => {
    const answer = await persist(prepare(call, config), config, check);
    // safe as far as the server keeps the contract: unknown fields stay, nothing is converted
    return answer as Exchange<Open<Answers[Name]>>;
  };
}

/** Attempts until one succeeds, or another one could do harm or would come too late. */
async function persist(
  request: PreparedRequest,
  config: Config,
  check: CheckAnswer | undefined,
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
      const delay = askedBy(failure) ?? backoff(tries);
      const inTime = delay <= longestDelay && performance.now() + delay < deadline;
      const again = failure.retryable && !signal?.aborted && tries <= limits.retries && inTime;
      if (!again || !outcome.maySendAgain()) throw outcome.ending(failure);
      retrying(config, request, failure, delay);
      await sleep(delay, signal);
      // Another call may have learned meanwhile that the key is not honoured.
      if (!outcome.maySendAgain()) throw outcome.ending(failure);
    }
  }
}

const askedBy = (failure: UnknownOutcomeCause): number | undefined =>
  failure.name === 'TopupHttpError' ? failure.retryAfter : undefined;

async function exchange(
  request: PreparedRequest,
  config: Config,
  check: CheckAnswer | undefined,
  timeout: number,
): Promise<Exchange<JsonObject>> {
  const { facts } = request;
  const raw = await attempt(request, config, timeout);
  const data = readAnswer(raw, facts, config.apiKey);
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
