import type { Hooks } from '@topup-kit/sdk';

/** Why a service gives no answers. */
export interface Trouble {
  /** When it was first asked in vain, in unix milliseconds. */
  since: number;
  /** The status that it answers with; undefined while it doesn't answer at all. */
  status?: number;
}

export interface TroubleWatch {
  hooks: Hooks;
  trouble(): Trouble | undefined;
}

/** Watches whether a service answers, beside what other hooks do. */
export function createTroubleWatch({ onRequest, onResponse }: Hooks = {}): TroubleWatch {
  let trouble: Trouble | undefined;
  return {
    hooks: {
      onRequest(attempt) {
        trouble ??= { since: Date.now() };
        return onRequest?.(attempt);
      },
      onResponse(attempt) {
        const { status } = attempt;
        trouble = status < 500 ? undefined : { since: trouble?.since ?? Date.now(), status };
        return onResponse?.(attempt);
      },
    },
    trouble: () => trouble,
  };
}
