import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Effect } from './rules.ts';

/** Order as a response shows it. */
export interface Shown {
  /** Key with which the order was placed. Clients put it into the order's target. */
  key: string;
  orderId: string;
  /** State as `payment_status/buy_status`. */
  state: string;
  total: number;
  /** Expiry in unix seconds. */
  expires: number;
}

/** Request and its result; `got` is null if no response came, so that the outcome is unknown. */
type Call =
  | {
      does: 'place';
      account: string;
      key: string;
      /** True if the payload is the one with which the key was first sent. */
      same: boolean;
      got:
        | null
        | { orderId: string; isReplay: boolean; total: number; expires: number; hash: string }
        | { code: string };
    }
  /** A read of one order; `none` if it was not found. */
  | {
      does: 'read';
      by: 'status' | 'invoice' | 'key' | 'operator';
      account: string;
      key: string;
      got: null | 'none' | Pick<Shown, 'orderId' | 'state' | 'expires'> | Shown;
    }
  /** A page of an account's orders, newest first; `walk` is the number of the list to which the page belongs. */
  | {
      does: 'list';
      account: string;
      walk: number | null;
      got: null | { orders: Shown[]; more: boolean };
    }
  /** A callback or an operator's command, and whether it changed the order. */
  | {
      does: 'change';
      effect: Effect;
      account: string;
      key: string;
      got: null | 'changed' | 'nothing';
    };

/** Call and its response. Moments are unix milliseconds of one monotonic clock. */
export type Operation = Call & {
  server: string;
  start: number;
  /** Time when the response arrived, or when the client gave up. A history is sorted by this time. */
  end: number;
};

export interface Recorder {
  add(operation: Operation): void;
  count(): number;
  close(): Promise<void>;
}

/** Writes a history with one operation per line. */
export function recordTo(path: string): Recorder {
  const file = createWriteStream(path);
  let count = 0;
  return {
    add(operation) {
      count += 1;
      file.write(`${JSON.stringify(operation)}\n`);
    },
    count: () => count,
    async close() {
      file.end();
      await once(file, 'close');
    },
  };
}

/** Reads a history that {@link recordTo} wrote. */
export async function* readHistory(path: string): AsyncGenerator<Operation> {
  for await (const line of createInterface({ input: createReadStream(path) }))
    yield JSON.parse(line) as Operation; // Safe: the recorder wrote it.
}
