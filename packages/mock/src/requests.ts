import type { Operation } from '@topup-kit/core/contract';

/** A call to the API, as `mock.requests` tells it. */
export interface MockRequest {
  /** Null for what matches no operation. */
  readonly operation: Operation | null;
  readonly method: string;
  /** Relative to `baseUrl`, with its query: `/games/mobile-legends`. */
  readonly path: string;
  /** Null while it waits for its answer, and for good when none came. */
  readonly status: number | null;
  /** What was sent, read as JSON; a text that is none as it is. Absent without a body. */
  readonly body?: unknown;
  /** When it came, in unix milliseconds of world time. */
  readonly at: number;
}

/** So many calls are kept, the last ones: a mock may serve a page for days. */
export const mostRequests = 1_000;

/** Records that stay as they are while the calls they are about go on. */
export const copyRequests = <Request extends MockRequest>(requests: readonly Request[]): Request[] =>
  requests.map((one) => ({ ...one }));

/** A body as one wants to look at it. */
export function readableBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
