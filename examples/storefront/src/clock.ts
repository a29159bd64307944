import { useEffect, useState } from 'react';

let clock: () => number = Date.now;

/** Replaces the clock of the device: the sandbox's can be ahead of it. */
export function setClock(next: () => number): void {
  clock = next;
}

/** The time of the service, in unix milliseconds. */
export const now = (): number => clock();

/** Like {@link now}, updated every second. */
export function useNow(): number {
  const [time, setTime] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setTime(now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return time;
}
