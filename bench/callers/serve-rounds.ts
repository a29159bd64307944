import type { Poll } from './poll.ts';

/**
 * Runs a round of polls, one after another, for each message of the bench, and sends back the microseconds of one poll.
 *
 * @throws Error if a response is not the expected one, because the figures would be meaningless.
 */
export function serveRounds(
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  { url, headers, response: { text } }: Poll,
): void {
  process.on('message', async (count: number) => {
    const start = performance.now();
    for (let left = count; left > 0; left -= 1) {
      const response = await fetch(url, { headers });
      if ((await response.text()) !== text)
        throw new Error(`${url} responded with ${response.status} or another body`);
    }
    process.send?.(((performance.now() - start) * 1000) / count);
  });
  process.send?.('ready');
}
