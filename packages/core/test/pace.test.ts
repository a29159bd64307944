import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPace } from '../src/features/callbacks/routes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A pace of ten a second, and how many have had their turn. */
function startPace(closing?: AbortSignal, maxWaiting = 100) {
  const turn = createPace({
    ...{ perSecond: 10, atOnce: 3, maxWaiting, clock: () => performance.now(), closing },
  });
  const gone: number[] = [];
  return {
    gone,
    come(count: number, lost?: AbortSignal): void {
      const first = gone.length;
      for (let index = 0; index < count; index += 1) void turn(lost).then(() => gone.push(first + index));
    },
  };
}

it('sends a few requests immediately, and then a fixed number a second, in order of arrival', async () => {
  const { gone, come } = startPace();
  come(10);
  await vi.advanceTimersByTimeAsync(0);
  expect(gone).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(400);
  expect(gone).toHaveLength(7);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(gone).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  await vi.advanceTimersByTimeAsync(10_000);
  come(5);
  await vi.advanceTimersByTimeAsync(0);
  expect(gone).toHaveLength(13);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(vi.getTimerCount()).toBe(0);
});

it('sends requests in order of arrival, even while some of them wait', async () => {
  const { gone, come } = startPace();
  come(5);
  await vi.advanceTimersByTimeAsync(150);
  come(1);
  await vi.advanceTimersByTimeAsync(0);
  expect(gone).toHaveLength(4);
});

it('frees the place of a lost connection', async () => {
  const { gone, come } = startPace();
  const lost = new AbortController();
  come(3);
  come(50, lost.signal);
  come(2);
  lost.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(gone).toHaveLength(53);
  await vi.advanceTimersByTimeAsync(200);
  expect(gone).toHaveLength(55);
});

it('rejects further requests when too many requests wait', async () => {
  const { gone, come } = startPace(undefined, 4);
  come(20);
  await vi.advanceTimersByTimeAsync(0);
  expect(gone).toHaveLength(16);
});

it('releases waiting requests when the server closes', async () => {
  const closing = new AbortController();
  const { gone, come } = startPace(closing.signal);
  come(20);
  closing.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(gone).toHaveLength(20);
  come(5);
  await vi.advanceTimersByTimeAsync(0);
  expect(gone).toHaveLength(25);
  expect(vi.getTimerCount()).toBe(0);
});
