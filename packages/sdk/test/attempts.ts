import type { Fetch } from '@topup-kit/sdk';

/** A fetch with one response for each attempt (the last one repeats), which records the time of each. */
export function respondingInTurn(...answers: ((request: Request) => Response | Promise<Response>)[]): {
  fetch: Fetch;
  /** Milliseconds since the first attempt. */
  moments: () => number[];
  requests: Request[];
} {
  const times: number[] = [];
  const requests: Request[] = [];
  const fetch: Fetch = async (request) => {
    times.push(performance.now());
    requests.push(request.clone()); // ky cancels what is left of a body
    const answer = answers[Math.min(times.length, answers.length) - 1];
    if (answer === undefined) throw new Error('no answer was prepared');
    return answer(request);
  };
  return { fetch, requests, moments: () => times.map((time) => Math.round(time - (times[0] ?? 0))) };
}

/** A new response for each attempt. */
export const status =
  (code: number, headers: Record<string, string> = {}, body: object = {}) =>
  (): Response =>
    Response.json(body, { status: code, headers });

/** A network error, like one of Node's fetch. */
export const networkFailure =
  (code: string, facts: object = {}) =>
  (): never => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, ...facts }) });
  };

/** Never responds and ignores the signal. */
export const silence = (): Promise<Response> => new Promise(() => {});
