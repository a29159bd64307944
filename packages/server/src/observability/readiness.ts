/** Why the server should get no requests at the moment. */
export type UnreadyReason = 'shutting_down' | 'store_failed' | 'store_not_writable';

/** How long a look at the store counts, because each one writes, and how long it may take, in milliseconds. */
const validMs = 1_000;
const timeoutMs = 1_000;

export interface ReadinessDependencies {
  /** Writes to the store what it has already. */
  write: () => Promise<unknown>;
  /** Why the store accepts no more writes; null while it does. */
  failure: () => Error | null;
  isClosing: () => boolean;
}

/** Returns a function that says why the server isn't ready. The store is asked at most once a second. */
export function createReadiness({
  write,
  failure,
  isClosing,
}: ReadinessDependencies): () => Promise<UnreadyReason | null> {
  let looked: { at: number; isWritable: Promise<boolean> } | undefined;

  async function look(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, false);
    });
    const written = write().then(
      () => true,
      () => false,
    );
    const isWritable = await Promise.race([written, tooLate]);
    clearTimeout(timer);
    return isWritable;
  }

  return async () => {
    if (isClosing()) return 'shutting_down';
    if (failure()) return 'store_failed';
    const now = performance.now();
    if (!looked || now - looked.at > validMs) looked = { at: now, isWritable: look() };
    return (await looked.isWritable) ? null : 'store_not_writable';
  };
}
