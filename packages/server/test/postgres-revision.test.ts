import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRevision } from '../src/postgres/revision.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A database whose responses take so long, in milliseconds, or never come; and that fails. */
function database() {
  const state = { value: 1, takes: 1, isFailing: false, reads: 0 };
  const query = async () => {
    state.reads += 1;
    const { takes, value, isFailing } = state;
    await new Promise((resolve) => setTimeout(resolve, takes));
    if (isFailing) throw new Error('no database');
    return value;
  };
  return { state, revision: createRevision(query) };
}

/** What is read so many milliseconds from now, and how long that takes. */
async function readAfter(ms: number, { read }: ReturnType<typeof createRevision>) {
  await vi.advanceTimersByTimeAsync(ms);
  const began = performance.now();
  const reading = read().then((value) => ({ value, ms: Math.round(performance.now() - began) }));
  await vi.advanceTimersByTimeAsync(2_000);
  return reading;
}

describe('the revision', () => {
  it('reads the revision only a few times a second for any number of callers, and notices a change within a second', async () => {
    const { state, revision } = database();
    const seen: number[] = [];
    for (let count = 0; count < 1_000; count += 1) {
      if (count === 500) state.value = 2;
      void revision.read().then((value) => seen.push(value));
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(state.reads).toBeLessThanOrEqual(41);
    expect(seen.slice(0, 500)).toEqual(Array(500).fill(1));
    expect(seen.slice(600)).toEqual(Array(400).fill(2));
  });

  it('reads the revision immediately after its own change, and never an older revision', async () => {
    const { state, revision } = database();
    await readAfter(0, revision);
    state.takes = 200;
    await vi.advanceTimersByTimeAsync(300);
    const before = revision.read();
    state.value = 2;
    revision.forget();
    const after = revision.read();
    await vi.advanceTimersByTimeAsync(400);
    expect(await Promise.all([before, after])).toEqual([1, 2]);
    expect(await readAfter(0, revision)).toMatchObject({ value: 2 });
  });

  it("uses the last revision while the database doesn't respond, so that only the first requests wait half a second", async () => {
    const { state, revision } = database();
    await readAfter(0, revision);
    state.takes = 60_000;
    expect(await readAfter(300, revision)).toEqual({ value: 1, ms: 500 });
    for (let count = 0; count < 5; count += 1)
      expect(await readAfter(300, revision)).toEqual({ value: 1, ms: 0 });
    // Healthy again, it is current at once for whoever comes later.
    Object.assign(state, { takes: 5, value: 2 });
    await readAfter(600, revision);
    expect(await readAfter(0, revision)).toMatchObject({ value: 2 });
  });

  it("uses the last revision while the database can't be read, and fails if no revision is known", async () => {
    const { state, revision } = database();
    state.isFailing = true;
    const first = revision.read();
    const rejected = expect(first).rejects.toThrow('no database');
    await vi.advanceTimersByTimeAsync(10);
    await rejected;
    state.isFailing = false;
    expect(await readAfter(0, revision)).toMatchObject({ value: 1 });
    state.isFailing = true;
    expect(await readAfter(300, revision)).toMatchObject({ value: 1 });
    state.isFailing = false;
    state.value = 2;
    expect(await readAfter(300, revision)).toMatchObject({ value: 2 });
  });

  it('never returns to an older revision because of a late read', async () => {
    const { state, revision } = database();
    await readAfter(0, revision);
    state.takes = 900;
    void revision.read();
    await vi.advanceTimersByTimeAsync(850);
    Object.assign(state, { takes: 5, value: 2 });
    void revision.read();
    await vi.advanceTimersByTimeAsync(100);
    // Both questions have their responses, and the second one's still counts.
    const questions = state.reads;
    expect([await revision.read(), state.reads]).toEqual([2, questions]);
  });

  it('follows a database that responds later than requests wait', async () => {
    const { state, revision } = database();
    await readAfter(0, revision);
    state.takes = 700;
    const seen: { at: number; value: number }[] = [];
    for (let at = 0; at < 4_000; at += 10) {
      if (at === 1_000) state.value = 2;
      void revision.read().then((value) => seen.push({ at, value }));
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(seen.filter(({ at, value }) => at > 2_300 && value === 1)).toEqual([]);
  });
});
