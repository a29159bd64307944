import type { Operation } from '@topup-kit/core/contract';

/** What an error may tell about a request: nothing in here is a secret. */
export interface RequestFacts {
  operation: Operation;
  method: 'GET' | 'POST';
  /** Scheme, host and port. */
  origin: string;
  path: string;
  idempotencyKey: string | undefined;
}

/** `POST /api/order` */
export const where = (facts: RequestFacts): string => `${facts.method} ${facts.path}`;

/** What to do when nobody knows whether the server did what it was asked. */
export const afterUnknownOutcome = ({ idempotencyKey }: RequestFacts): string =>
  idempotencyKey === undefined
    ? 'Nothing was changed, so it is safe to call again.'
    : 'Whether the order was made is unknown. Where the server honours Idempotency-Key, call again with ' +
      `idempotencyKey '${idempotencyKey}': it makes no second order. ` +
      'Elsewhere look at the invoice before you order anew.';
