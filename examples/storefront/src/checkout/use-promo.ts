import { isTopupError, type PromoValidationAnswer, type PromoValidationRequest } from '@topup-kit/sdk';
import { useEffect, useRef, useState } from 'react';
import { client } from '../client.ts';

type Promo = PromoValidationAnswer['data'];
export type Choice = Omit<PromoValidationRequest, 'code' | 'whatsapp'>;

/** A promo code that is tried against what is chosen, and again whenever that changes. */
export function usePromo(choice: Choice | undefined) {
  const [code, setCode] = useState<string>();
  const [found, setFound] = useState<{ promo?: Promo; error?: unknown }>({});
  const leave = useRef<AbortController>(undefined);
  const chosen = choice && JSON.stringify(choice);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `chosen` stands for the choice
  useEffect(() => {
    leave.current?.abort();
    setFound({});
    if (!code || !choice) return;
    const now = new AbortController();
    leave.current = now;
    client.promos.validate({ ...choice, code }, { signal: now.signal, maxRetries: 0 }).then(
      ({ data }) => setFound({ promo: data }),
      (error: unknown) => {
        if (!isTopupError(error, 'ABORTED')) setFound({ error });
      },
    );
    return () => now.abort();
  }, [code, chosen]);
  return {
    ...found,
    /** The code under trial or in use. */
    code,
    apply: (next: string) => setCode(next.trim().toUpperCase() || undefined),
    remove: () => setCode(undefined),
  };
}
