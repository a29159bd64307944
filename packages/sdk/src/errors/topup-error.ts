import type { Operation } from '@topup-kit/core/contract';

/** The same symbol in every copy of this package. */
export const brand: unique symbol = Symbol.for('@topup-kit/sdk/error');

const inspect: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/** What an error of any kind may tell of its call. */
export interface CallFacts {
  operation?: Operation | undefined;
  idempotencyKey?: string | undefined;
  attempts?: number | undefined;
}

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
export const requestLine = (facts: RequestFacts): string => `${facts.method} ${facts.path}`;

/**
 * The root of every error that this package throws or rejects with (source: ours).
 *
 * Its message, its JSON and what Node prints of it hold no secret, and `cause` is in none of them: what a
 * runtime or a `fetch` of your own throws may hold a whole request, with its key.
 *
 * @example
 * ```ts
 * try {
 *   await client.orders.create(request);
 * } catch (error) {
 *   if (!isTopupError(error)) throw error;
 *   logger.warn(error.message, error.toJSON());
 * }
 * ```
 */
export abstract class TopupError extends Error {
  /** The class's name; narrows the type of what `isTopupError` lets through. */
  abstract override readonly name: string;
  /** What went wrong, for programs. */
  abstract readonly code: string;
  /** Whether the same call may succeed later and can do no harm: for an order, that it makes no second one. */
  abstract readonly retryable: boolean;
  /** The operation of the contract that failed, such as `createOrder`; undefined for a bad client option. */
  declare readonly operation: Operation | undefined;
  /** The `Idempotency-Key` that the request carried; undefined for all but `orders.create`. */
  declare readonly idempotencyKey: string | undefined;
  /** How often the request was tried; 0 when nothing was sent. */
  declare readonly attempts: number;

  /** What is its `own` becomes properties of the error, under the same names. */
  constructor(message: string, facts: CallFacts, own: object = {}) {
    const { cause, ...details }: { cause?: unknown } = own;
    super(message, cause === undefined ? undefined : { cause });
    const { operation, idempotencyKey, attempts = 0 } = facts;
    Object.assign(this, { operation, idempotencyKey, attempts, ...details });
  }

  get [brand](): true {
    return true;
  }

  /** What logs may keep: no body, no cause, no secret. */
  toJSON(): Record<string, unknown> {
    // Message, stack and cause of an error are not enumerable; all else is what its kind says of itself.
    const facts = Object.entries(this).filter(([fact]) => fact !== 'body');
    return { name: this.name, message: this.message, ...Object.fromEntries(facts) };
  }

  /** @internal Node would print the cause. */
  [inspect](_depth: number, options: object, print: (value: unknown, options: object) => string): string {
    const { name, message, ...facts } = this.toJSON();
    return `${this.stack ?? `${name}: ${message}`} ${print(facts, options)}`;
  }
}
