import { describe, expect, it } from 'vitest';
import { createFailures } from '../src/engine/failures.ts';
import { StoreError } from '../src/features/store.ts';

function setUp() {
  const clock = { now: 0 };
  const reported: string[] = [];
  const failures = createFailures(
    () => clock.now,
    (event) => {
      if (event.type === 'error') reported.push(`${event.about}: ${String(event.error)}`);
    },
  );
  return { clock, reported, failures };
}

describe('an item of work that failed', () => {
  it('delays a failed item for half a minute, then twice as long each time, at most five minutes', () => {
    const { clock, failures } = setUp();
    const waits = [30, 60, 120, 240, 300, 300].map((seconds) => {
      failures.postpone('A');
      clock.now += seconds * 1_000 - 1;
      const before = [failures.isPostponed('A'), failures.countPostponed()];
      clock.now += 1;
      return [...before, failures.isPostponed('A'), failures.countPostponed()];
    });
    expect(waits).toEqual(Array(6).fill([true, 1, false, 0]));
    expect(failures.isPostponed('B')).toBe(false);
  });

  it('starts again with half a minute when the item was forgotten', () => {
    const { clock, failures } = setUp();
    failures.postpone('A');
    failures.postpone('A');
    failures.forget('A');
    expect([failures.isPostponed('A'), failures.countPostponed()]).toEqual([false, 0]);
    failures.postpone('A');
    clock.now += 30_000;
    expect(failures.isPostponed('A')).toBe(false);
  });

  it('reports an item once until it is forgotten, without a delay', () => {
    const { failures, reported } = setUp();
    for (const error of ['one', 'two']) failures.report(error, 'A');
    failures.report('three', 'B');
    failures.forget('A');
    failures.report('four', 'A');
    expect(reported).toEqual(['A: one', 'B: three', 'A: four']);
    expect(failures.countPostponed()).toBe(0);
  });

  it.each([
    [true, []],
    [false, ['A: Error: locked']],
  ])(
    "reports a failure of the store only if the store doesn't report it (it does: %s)",
    (isReported, expected) => {
      class Locked extends StoreError {
        readonly retryAfter = 1;
        readonly isReported = isReported;
      }
      const { failures, reported } = setUp();
      failures.report(new Locked('locked'), 'A');
      expect(reported).toEqual(expected);
    },
  );

  it('forgets an item after ten thousand later failures', () => {
    const { failures, reported } = setUp();
    failures.report('error', 'A');
    failures.report('error', 'B');
    for (let index = 0; index < 9_998; index += 1) failures.report('error', `${index}`);
    failures.report('error', 'A');
    failures.report('error', 'C');
    reported.length = 0;
    for (const name of ['A', 'B']) failures.report('error', name);
    expect(reported).toEqual(['B: error']);
  });
});
