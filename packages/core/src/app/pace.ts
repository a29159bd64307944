import type { MonotonicClock } from '../platform/index.ts';

/**
 * Creates a function that resolves when a response may be sent: at once for a few, then so many a second, in the order in which they
 * came. A client that sends again and again what is rejected waits for each response, so that others don't wait for it. One whose
 * connection is lost leaves its place; when too many wait, and when the server closes, nobody waits.
 */
export function createPace({
  perSecond,
  atOnce,
  maxWaiting,
  clock,
  closing,
}: {
  perSecond: number;
  /** How many may go at once after a pause. */
  atOnce: number;
  maxWaiting: number;
  clock: MonotonicClock;
  /** Aborted when the server closes. */
  closing?: AbortSignal | undefined;
}): (lost?: AbortSignal) => Promise<void> {
  const waiting = new Set<() => void>();
  let free = atOnce;
  let countedAt = clock();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function takePlace(): boolean {
    const now = clock();
    free = Math.min(atOnce, free + ((now - countedAt) / 1_000) * perSecond);
    countedAt = now;
    if (free < 1) return false;
    free -= 1;
    return true;
  }

  function release(): void {
    timer = undefined;
    for (const go of waiting) {
      if (!closing?.aborted && !takePlace()) break;
      go();
    }
    if (waiting.size > 0) timer = setTimeout(release, 1_000 / perSecond);
  }

  closing?.addEventListener('abort', () => {
    clearTimeout(timer);
    release();
  });

  return (lost) => {
    if (waiting.size === maxWaiting || closing?.aborted || (waiting.size === 0 && takePlace()))
      return Promise.resolve();
    return new Promise((resolve) => {
      const go = (): void => {
        waiting.delete(go);
        resolve();
      };
      waiting.add(go);
      lost?.addEventListener('abort', go, { once: true });
      timer ??= setTimeout(release, 1_000 / perSecond);
    });
  };
}
