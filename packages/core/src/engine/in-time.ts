/** Waits for work that need not heed a signal, and no longer than so many milliseconds of real time. */
export function inTime<Result>(work: Promise<Result>, milliseconds: number, late: string): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(late)), milliseconds);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
