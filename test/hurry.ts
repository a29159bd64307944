import { beforeAll, vi } from 'vitest';

const shortened = (ms = 0): number => (ms >= 500 && ms <= 5_000 ? ms / 10 : ms);

/**
 * Makes waits of about a second, repeated ones too, ten times as short in all tests of a file: they are about what comes after a
 * wait, not about its length. Longer ones, such as time-outs of requests, are not changed.
 */
export function hurryWaits(): void {
  beforeAll(() => {
    const { setTimeout, setInterval } = globalThis;
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    vi.stubGlobal('setTimeout', (work: () => void, ms?: number, ...given: []) =>
      setTimeout(work, shortened(ms), ...given),
    );
    vi.stubGlobal('setInterval', (work: () => void, ms?: number, ...given: []) =>
      setInterval(work, shortened(ms), ...given),
    );
    const limited = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(shortened(ms)));
    return () => {
      limited.mockRestore();
      vi.unstubAllGlobals();
    };
  });
}

/**
 * A clock that is right at first and then runs ten times as fast: for servers whose simulated supplier would take two seconds,
 * where a test is about what they do by themselves.
 */
export function hurriedClock(): () => number {
  // A test may put this clock in the place of that one.
  const elapsed = performance.now.bind(performance);
  const start = Date.now() - elapsed() * 10;
  return () => Math.round(start + elapsed() * 10);
}
