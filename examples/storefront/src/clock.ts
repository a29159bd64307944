import { useEffect, useState } from 'react';

let clock: () => number = Date.now;

/** A sandbox's world may be ahead of this device. */
export function setClock(next: () => number): void {
  clock = next;
}

/** Unix milliseconds, as the service sees them. */
export const now = (): number => clock();

/** Unix milliseconds, renewed every second. */
export function useNow(): number {
  const [moment, setMoment] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setMoment(now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return moment;
}
