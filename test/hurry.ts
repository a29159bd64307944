import { beforeAll, vi } from 'vitest';

const shortened = (ms = 0): number => (ms >= 500 && ms <= 5_000 ? ms / 10 : ms);

/**
 * Makes waits of about a second ten times as short in all tests of a file: they are about what comes after a wait, not about its
 * length. Longer ones, such as time-outs of requests, are not changed.
 */
export function hurryWaits(): void {
  beforeAll(() => {
    const { setTimeout } = globalThis;
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    vi.stubGlobal('setTimeout', (work: () => void, ms?: number, ...given: []) =>
      setTimeout(work, shortened(ms), ...given),
    );
    const limited = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(shortened(ms)));
    return () => {
      limited.mockRestore();
      vi.unstubAllGlobals();
    };
  });
}
