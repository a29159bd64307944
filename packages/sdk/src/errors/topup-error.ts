import type { Operation } from '@topup-kit/core/contract';

/** The same symbol in every copy of this package. */
export const brand: unique symbol = Symbol.for('@topup-kit/sdk/error');

const inspect: unique symbol = Symbol.for('nodejs.util.inspect.custom');

export interface TopupErrorDetails {
  operation?: Operation | undefined;
  idempotencyKey?: string | undefined;
  cause?: unknown;
}

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
 *   logger.warn(error.toJSON());
 * }
 * ```
 */
export abstract class TopupError extends Error {
  /** The class's name; narrows the type of what `isTopupError` lets through. */
  abstract override readonly name: string;
  /** What went wrong, for programs. */
  abstract readonly code: string;
  /** The operation of the contract that failed, such as `createOrder`; undefined for a bad client option. */
  readonly operation: Operation | undefined;
  /** The `Idempotency-Key` that the request carried; undefined for all but `orders.create`. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, { operation, idempotencyKey, cause }: TopupErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.operation = operation;
    this.idempotencyKey = idempotencyKey;
  }

  get [brand](): true {
    return true;
  }

  /** What logs may keep: no body, no cause, no secret. */
  toJSON(): Record<string, unknown> {
    const { name, message, code, operation, idempotencyKey } = this;
    return { name, message, code, operation, idempotencyKey };
  }

  /** @internal Node would print the cause. */
  [inspect](_depth: number, options: object, print: (value: unknown, options: object) => string): string {
    const { name, message, ...facts } = this.toJSON();
    const stack = this.stack ?? `${name}: ${message}`;
    return `${stack} ${print(facts, options)}`;
  }
}
