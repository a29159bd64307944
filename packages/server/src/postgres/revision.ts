/** How long a revision counts that was read, so that not every request reads it, in milliseconds of real time. */
const maxStaleMs = 250;

/**
 * How long requests wait for the database before the last revision counts, in milliseconds of real time. With
 * {@link maxStaleMs} that is less than the second within which a change is effective.
 */
const maxWaitMs = 500;

export interface Revision {
  /** The current revision; the last one that was read while the database does not respond, so that reads go on from memory. */
  read(): Promise<number>;
  /** Has the next request read it, because this process changed something. */
  forget(): void;
}

/** What the work resolves with; the last value if it fails or takes too long. */
async function inTime(work: Promise<number>, last: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const timer = setTimeout(resolve, maxWaitMs, last).unref();
  try {
    return await Promise.race([work.catch(() => last), promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads the revision at most a few times a second, because every request needs it; so no engine has to notify its clients. */
export function createRevision(query: () => Promise<number>): Revision {
  let known: number | null = null;
  /** The look that is in progress, with the response to all requests that come meanwhile. */
  let open: { revision: Promise<number> } | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** How many looks were begun, and the number of the last one whose result counts. */
  let begun = 0;
  let counted = 0;

  function firstAnswer(reading: Promise<number>): Promise<number> {
    if (known === null) return reading;
    // Another look is open for too long already: nobody waits again.
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
      // A connection may be lost that others know nothing of, so that an overdue look is not the last one.
      const isDue = performance.now() - lookedAt >= (open ? maxWaitMs : maxStaleMs);
      if (!isDue && !open && known !== null) return known;
      if (isDue || !open) open = begin();
      return open.revision;
    },
    forget() {
      // The look in progress may have read before the change.
      lookedAt = Number.NEGATIVE_INFINITY;
      open = null;
    },
  };
}
