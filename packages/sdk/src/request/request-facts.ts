import type { Operation } from '@topup-kit/core/contract';

/** What an error may tell about a call: nothing in here is a secret. */
export interface RequestFacts {
  operation: Operation;
  method: 'GET' | 'POST';
  /** Scheme, host and port. */
  origin: string;
  path: string;
  idempotencyKey: string | undefined;
  /** Attempts made so far. */
  attempts: number;
  /** Whether the last answer carried the idempotency key back: then it is the service's own, which honours it. */
  echoed: boolean;
}

/** `POST /api/order` */
export const where = (facts: RequestFacts): string => `${facts.method} ${facts.path}`;
