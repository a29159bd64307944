import { headers as names } from '@topup-kit/core/contract';
import { checkChoice } from '../request/check-option.ts';

/** Whether the service honours `Idempotency-Key`: without it, an order sent twice may be two orders. */
export interface KeySupport {
  honoured: boolean;
  /** Learns from an answer to a request that carried the key, and tells whether it carried it back. */
  learn(response: Response, key: string): boolean;
}

/** A service that honours the key sends it back with every answer of its own (open points, Idempotency). */
export function createKeySupport(idempotency: 'detect' | 'supported' = 'detect'): KeySupport {
  checkChoice('idempotency', idempotency, ['detect', 'supported']);
  const support: KeySupport = {
    honoured: idempotency === 'supported',
    learn({ headers, ok, status }, key) {
      const echoed = headers.get(names.idempotencyKey) === key;
      // Other failures may come from something in front of the service, which knows nothing of keys.
      const own = echoed || ok || [404, 409, 422].includes(status);
      if (idempotency === 'detect' && own) support.honoured = echoed;
      return echoed;
    },
  };
  return support;
}
