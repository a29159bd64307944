/**
 * Makes the clock of a process ten times as fast, and waits of about a second ten times as short, as test/hurry.ts does in
 * tests: for `node --import`.
 */
const { setTimeout } = globalThis;
const start = Date.now() - performance.now() * 10;
Date.now = () => Math.round(start + performance.now() * 10);
Object.assign(globalThis, {
  setTimeout: (work: () => void, ms = 0, ...given: []) =>
    setTimeout(work, ms >= 500 && ms <= 5_000 ? ms / 10 : ms, ...given),
});
