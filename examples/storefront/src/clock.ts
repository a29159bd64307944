import { useEffect, useState } from 'react';

let clock: () => number = Date.now;

/** Replaces the clock of the device, because the sandbox's clock can be ahead of it. */
export function setClock(next: () => number): void {
  clock = next;
}

/** Returns the time of the service, in unix milliseconds. */
export const now = (): number => clock();

/** Returns the same as {@link now}, updated every second. */
export function useNow(): number {
  const [time, setTime] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setTime(now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return time;
}
