import { performance } from 'node:perf_hooks';

/** Minimum number of requests per second with which clients keep a server busy, if its thread is equally loaded. */
const busyRequests = 100;
const busyUse = 0.5;

/** Time for which a measurement is valid, in milliseconds. */
const spanMs = 50;

/** Tells whether clients' requests keep the server busy, so that other work can wait. */
export interface RequestMeter {
  isBusy(): boolean;
}

/** Creates the meter. `total` returns the number of requests so far. */
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
