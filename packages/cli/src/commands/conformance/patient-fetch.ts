import { setTimeout as sleep } from 'node:timers/promises';

/** How often a request is sent again that was one too many. */
const mostTries = 5;

/** The longest and the usual wait for a rate limit, in seconds. */
const longest = 60;
const usual = 5;

/** How long one request may take with all its waits, in milliseconds. */
export const patienceMs = 300_000;

/** A fetch that waits where a service says that it was asked too often: a rate limit is no difference. */
export interface Patience {
  /** Rejects at once when it was given up before. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Whether a request has used up its tries: a limit that does not end leaves nothing to find out. */
  gaveUp(): boolean;
}

function secondsToWait(response: Response): number {
  const said = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(said) ? Math.min(said, longest) : usual;
}

/** `onWait` is called once, before the first wait. */
export function createPatience({
  signal: stop,
  onWait,
}: {
  signal: AbortSignal | undefined;
  onWait: () => void;
}): Patience {
  let waited = false;
  let ended = false;

  async function wait(response: Response, signal: AbortSignal): Promise<void> {
    if (!waited) onWait();
    waited = true;
    await response.body?.cancel();
    await sleep(secondsToWait(response) * 1000, undefined, { signal });
  }

  return {
    gaveUp: () => ended,
    async fetch(url, init = {}) {
      const signals = [stop, init.signal].filter((signal) => signal instanceof AbortSignal);
      const signal = AbortSignal.any(signals);
      for (let tries = 1; ; tries += 1) {
        if (ended) throw new Error('the rate limit has not ended');
        const response = await fetch(url, { ...init, signal, redirect: 'manual' });
        if (response.status !== 429) return response;
        ended = tries === mostTries;
        if (ended) return response;
        await wait(response, signal);
      }
    },
  };
}
