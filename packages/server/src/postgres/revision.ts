/** Time for which a revision is valid, in milliseconds of real time, so that not every request reads it. */
const maxStaleMs = 250;

/**
 * Time for which requests wait for the database before the last revision is used, in milliseconds of real time. Together with {@link
 * maxStaleMs}, this is less than the second within which a change must take effect.
 */
const maxWaitMs = 500;

export interface Revision {
  /** Returns the current revision, or the last known revision while the database does not respond, so that reads continue from memory. */
  read(): Promise<number>;
  /** Makes the next request read the revision, because this process has changed something. */
  forget(): void;
}

/** Resolves with the result of the work, or with the last value if it fails or takes too long. */
async function inTime(work: Promise<number>, last: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const timer = setTimeout(resolve, maxWaitMs, last).unref();
  try {
    return await Promise.race([work.catch(() => last), promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Creates a cache that reads the revision at most a few times a second, because every request needs it. Engines need no notifications. */
export function createRevision(query: () => Promise<number>): Revision {
  let known: number | null = null;
  /** The current read, which also serves all requests that arrive meanwhile. */
  let open: { revision: Promise<number> } | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** Number of reads begun, and number of the last read with a valid result. */
  let begun = 0;
  let counted = 0;

  function firstAnswer(reading: Promise<number>): Promise<number> {
    if (known === null) return reading;
    // Another read is already overdue, so this request doesn't wait again.
    return open ? Promise.resolve(known) : inTime(reading, known);
  }

  function begin(): NonNullable<typeof open> {
    begun += 1;
    const number = begun;
    const reading = query();
    const look = { revision: firstAnswer(reading) };
    lookedAt = performance.now();
    const end = (found: number | null): void => {
      if (found !== null && number > counted) {
        counted = number;
        known = found;
      }
      if (open === look) open = null;
    };
    reading.then(end, () => end(null));
    return look;
  }

  return {
    async read() {
      // A connection may be lost without notice, so an overdue read must not prevent the next read.
      const isDue = performance.now() - lookedAt >= (open ? maxWaitMs : maxStaleMs);
      if (!isDue && !open && known !== null) return known;
      if (isDue || !open) open = begin();
      return open.revision;
    },
    forget() {
      // The current read may have started before the change.
      lookedAt = Number.NEGATIVE_INFINITY;
      open = null;
    },
  };
}
