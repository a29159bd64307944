import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Effect } from './rules.ts';

/** An order as a response shows it. */
export interface Shown {
  /** The key that it was placed with, which clients put into its target. */
  key: string;
  orderId: string;
  /** `payment_status/buy_status`. */
  state: string;
  total: number;
  /** Unix seconds. */
  expires: number;
}

/** What a call asked for, and what it was told; `got` is null when no response came, so that nobody knows. */
type Call =
  | {
      does: 'place';
      account: string;
      key: string;
      /** Whether it has the payload that the key was first sent with. */
      same: boolean;
      got:
        | null
        | { orderId: string; isReplay: boolean; total: number; expires: number; hash: string }
        | { code: string };
    }
  /** A read of one order; `none` when it is not there. */
  | {
      does: 'read';
      by: 'status' | 'invoice' | 'key' | 'operator';
      account: string;
      key: string;
      got: null | 'none' | Pick<Shown, 'orderId' | 'state' | 'expires'> | Shown;
    }
  /** A page of the orders of an account, newest first; `walk` numbers the pages of one list that is read to its end. */
  | {
      does: 'list';
      account: string;
      walk: number | null;
      got: null | { orders: Shown[]; more: boolean };
    }
  /** A callback or an operator's command: whether it changed the order. */
  | {
      does: 'change';
      effect: Effect;
      account: string;
      key: string;
      got: null | 'changed' | 'nothing';
    };

/** A call and its response. Moments are unix milliseconds of one monotonic clock. */
export type Operation = Call & {
  server: string;
  start: number;
  /** When its response was there, or when the client gave up. A history has its operations in this order. */
  end: number;
};

export interface Recorder {
  add(operation: Operation): void;
  count(): number;
  close(): Promise<void>;
}

/** Writes a history, a line an operation. */
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

/** Reads what {@link recordTo} wrote. */
export async function* readHistory(path: string): AsyncGenerator<Operation> {
  for await (const line of createInterface({ input: createReadStream(path) }))
    yield JSON.parse(line) as Operation; // safe: the recorder wrote it
}
