import type { Answers, Operation } from '@topup-kit/core/contract';
import type { Config } from './config.ts';
import { exchange, type RawAnswer } from './exchange.ts';
import type { Open } from './open.ts';
import { type Call, prepare } from './prepare.ts';
import { readAnswer } from './read-answer.ts';

/** Sends one call and gives its answer as it is on the wire; rejects with a `TopupError` and nothing else. */
export type Send = <Name extends Operation>(call: Call<Name>) => Promise<Open<Answers[Name]>>;

export function createTransport(config: Config): Send {
  return async <Name extends Operation>(call: Call<Name>) => {
    const request = prepare(call, config);
    const answer = await exchange(request, config.fetch);
    const body = readAnswer(withoutKey(answer, config.apiKey), request.facts);
    // safe as far as the server keeps the contract: unknown fields stay, nothing is converted
    return body as Open<Answers[Name]>;
  };
}

/** A server may quote the key as it refuses it; a key as short as a word would blot out honest text. */
function withoutKey({ response, text }: RawAnswer, apiKey = ''): RawAnswer {
  const redact = !response.ok && apiKey.length >= 8;
  return { response, text: redact ? text?.replaceAll(apiKey, '[apiKey]') : text };
}
