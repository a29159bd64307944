import type { Operation } from '@topup-kit/core/contract';
import { homepage } from '../version.ts';

/** The name of a call: an operation, or `request` for `client.request`. */
export type OperationName = Operation | 'request';

/** The HTTP method of a call. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A symbol that is the same in every copy of this package. */
export const brand: unique symbol = Symbol.for('@topup-kit/sdk/error');

const inspect: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/** Data about a call, part of every error. */
export interface CallMetadata {
  operation?: OperationName | undefined;
  idempotencyKey?: string | undefined;
  requestId?: string | undefined;
  attempts?: number | undefined;
  /** Number of earlier attempts during the same wait. */
  earlierAttempts?: number | undefined;
}

/** Data about a request for errors. Contains no secrets. */
export interface RequestMetadata {
  operation: OperationName;
  method: Method;
  /** Scheme, host and port. */
  origin: string;
  /** The path of the base URL. */
  basePath: string;
  /** The whole path, without a query. */
  path: string;
  /** Advice for the case that the service rejects the key. */
  keyAdvice: string;
  idempotencyKey: string | undefined;
  /** The `X-Request-Id` of the last response. */
  requestId?: string | undefined;
  /** The headers of the last response. */
  responseHeaders?: () => Headers;
  /** Number of attempts of this call so far. */
  attempts: number;
  /** Number of earlier attempts during the same wait. */
  earlierAttempts: number;
  /** The progress of a wait, for the message of its abort. */
  progress: string;
  /** True if the last response repeated the idempotency key. Such a response comes from the service itself, which honours the key. */
  echoed: boolean;
}

/** `POST /api/order` */
export const requestLine = (metadata: RequestMetadata): string => `${metadata.method} ${metadata.path}`;

/**
 * The base class of all errors of this package.
 *
 * Its message, its JSON and its output in Node contain no secrets. They also leave out `cause`, because an error of the
 * runtime or of your `fetch` may contain the whole request with its API key.
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
  /** The name of the class. Use it to narrow the type after `isTopupError`. */
  abstract override readonly name: string;
  /** A machine-readable error code. */
  abstract readonly code: string;
  /** True if the same call may succeed later and is safe to repeat. Repeating an order then creates no second order. */
  abstract readonly retryable: boolean;
  /** The operation that failed, such as `createOrder`; undefined for an invalid client option. */
  declare readonly operation: Operation | 'request' | undefined;
  /** The `Idempotency-Key` of the request; undefined for reads. */
  declare readonly idempotencyKey: string | undefined;
  /** Number of attempts; 0 if nothing was sent. For `orders.waitFor`, it includes the attempts of all polls. */
  declare readonly attempts: number;
  /** The `X-Request-Id` of the service's last response, for support requests (a Topup Kit extension); undefined without a response. */
  declare readonly requestId: string | undefined;

  /** The fields of `own` become properties of the error. */
  constructor(message: string, metadata: CallMetadata, own: object = {}) {
    const { cause, body, headers, ...details }: { cause?: unknown; body?: unknown; headers?: unknown } = own;
    super(message, cause === undefined ? undefined : { cause });
    const { operation, idempotencyKey, requestId, attempts = 0, earlierAttempts = 0 } = metadata;
    Object.assign(this, {
      operation,
      idempotencyKey,
      requestId,
      attempts: attempts + earlierAttempts,
      ...details,
    });
    // These are not enumerable, because Node prints all enumerable properties of an uncaught error.
    for (const [name, value] of Object.entries({ body, headers }))
      if (name in own) Object.defineProperty(this, name, { value });
  }

  /**
   * URL of the page that explains the error's code and the next steps. Undefined in this version, because its pages are not on the Web yet;
   * see `docs/errors.md` in this package.
   */
  get docUrl(): string | undefined {
    return homepage && `${homepage}/docs/errors#${this.code}`;
  }

  get [brand](): true {
    return true;
  }

  /** The error as JSON for logs, without body, headers, cause and secrets. */
  toJSON(): Record<string, unknown> {
    // Message, stack, cause, body and headers are not enumerable. All other properties are the details of the error.
    const fields = Object.fromEntries(Object.entries(this));
    return { name: this.name, message: this.message, docUrl: this.docUrl, ...fields };
  }

  /** @internal By default, Node would also print the cause. */
  [inspect](_depth: number, options: object, print: (value: unknown, options: object) => string): string {
    const { name, message, ...fields } = this.toJSON();
    return `${this.stack ?? `${name}: ${message}`} ${print(fields, options)}`;
  }
}
