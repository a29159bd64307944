/** Maximum delay before another process's change is seen, in milliseconds of real time. */
const maxStaleMs = 250;

export interface Revision {
  read(): number;
  /** Has the next request read it, because this process changed something. */
  forget(): void;
}

/** Caches the revision for a short time, because it is read on every request. */
export function createRevision(query: () => number): Revision {
  let value = 0;
  let readAt = Number.NEGATIVE_INFINITY;

  return {
    read() {
      const now = performance.now();
      if (now - readAt < maxStaleMs) return value;
      value = query();
      readAt = now;
      return value;
    },
    forget() {
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}
