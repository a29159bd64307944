import { performance } from 'node:perf_hooks';

/** Requests of clients keep a server busy when there are at least so many in a second, and its thread is as much in use. */
const busyRequests = 100;
const busyUse = 0.5;

/** For how long a measure counts, in milliseconds. */
const spanMs = 50;

/** Tells whether requests of clients keep the server busy, so that what can wait waits. */
export interface RequestMeter {
  isBusy(): boolean;
}

/** `total` returns how many requests there were. */
export function createRequestMeter(total: () => number): RequestMeter {
  let before = total();
  let since = performance.now();
  let used = performance.eventLoopUtilization();
  let isBusy = false;

  function measure(ms: number): void {
    const { utilization } = performance.eventLoopUtilization(used);
    isBusy = utilization >= busyUse && ((total() - before) / ms) * 1_000 >= busyRequests;
    before = total();
    since += ms;
    used = performance.eventLoopUtilization();
  }

  return {
    isBusy() {
      const ms = performance.now() - since;
      if (ms >= spanMs) measure(ms);
      return isBusy;
    },
  };
}
