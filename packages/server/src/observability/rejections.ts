import type { RejectedByLimits } from '@topup-kit/core/engine';

/** Requests, by key, that limits rejected, until the store's alert contains them. */
export interface Rejections {
  note(rejection: { keyId: string }): void;
  pending(): RejectedByLimits;
  /** Called after the store has recorded the pending rejections. */
  forget(stored: RejectedByLimits): void;
}

export function createRejections(): Rejections {
  let count = 0;
  const keyIds = new Set<string>();
  return {
    note({ keyId }) {
      count += 1;
      keyIds.add(keyId);
    },
    pending: () => ({ count, keyIds: [...keyIds] }),
    forget(stored) {
      count -= stored.count;
      if (count === 0) keyIds.clear();
    },
  };
}
