import type { Poll } from './poll.ts';

/**
 * Runs a round of polls one after another whenever the bench asks for one, and tells the microseconds of one poll.
 *
 * @throws Error when an answer is not the expected one: a fast wrong answer is no figure.
 */
export function serveRounds(
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  { url, headers, answer: { text } }: Poll,
): void {
  process.on('message', async (count: number) => {
    const start = performance.now();
    for (let left = count; left > 0; left -= 1) {
      const answer = await fetch(url, { headers });
      if ((await answer.text()) !== text) throw new Error(`${url} answered ${answer.status}`);
    }
    process.send?.(((performance.now() - start) * 1000) / count);
  });
  process.send?.('ready');
}
