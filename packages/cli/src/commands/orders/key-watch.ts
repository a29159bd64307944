import { headers } from '@topup-kit/core/contract';
import type { Hooks } from '@topup-kit/sdk';

/** Watches whether a service carries idempotency keys back, as one does that honours them (open points, Idempotency). */
export interface KeyWatch {
  hooks: Hooks;
  /** Whether the answer to what `send` sent carried its key back. */
  carriedBack(): boolean;
  /** Forgets the answer before. */
  reset(): void;
}

export function createKeyWatch(): KeyWatch {
  let carried = false;
  return {
    hooks: {
      onResponse({ idempotencyKey, headers: answered }) {
        if (idempotencyKey !== undefined) carried = answered.get(headers.idempotencyKey) === idempotencyKey;
      },
    },
    carriedBack: () => carried,
    reset() {
      carried = false;
    },
  };
}
