import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createReadiness } from '../src/observability/readiness.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What is said within so many milliseconds; undefined when nothing is. */
async function saidWithin<Value>(ms: number, saying: Promise<Value>): Promise<Value | undefined> {
  let said: Value | undefined;
  void saying.then((value) => {
    said = value;
  });
  await vi.advanceTimersByTimeAsync(ms);
  return said;
}

it("reports within two seconds that its store doesn't respond, and that it responds again", async () => {
  let isFrozen = false;
  const write = () => (isFrozen ? new Promise(() => {}) : Promise.resolve());
  const whyUnready = createReadiness({ write, failure: () => null, isClosing: () => false });
  expect(await saidWithin(0, whyUnready())).toBe(null);

  isFrozen = true;
  // What was found before counts for a second.
  await vi.advanceTimersByTimeAsync(1_001);
  expect(await saidWithin(2_000, whyUnready())).toBe('store_not_writable');

  isFrozen = false;
  expect(await saidWithin(0, whyUnready())).toBe(null);
});
