import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Shopping {
  port: number;
  /** Each places an order, which the gateway reports as paid, and then waits for `thinkMs`. */
  customers: number;
  thinkMs: number;
  seconds: number;
  /** Whence the gateway's callbacks come. */
  gatewayAddress: string;
}

/** How long requests took, in milliseconds. */
export interface Latencies {
  count: number;
  p50: number;
  p99: number;
  slowest: number;
}

export interface ShoppingResult {
  orders: Latencies;
  callbacks: Latencies;
  /** What came instead of the right responses. */
  wrong: string[];
}

/** Buys at a server from another process. */
export async function shop(options: Shopping): Promise<ShoppingResult> {
  const child = fork(fileURLToPath(new URL('shopper.ts', import.meta.url)));
  const ended = once(child, 'exit');
  child.send(options);
  const [result] = await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => Promise.reject(new Error(`the shopper ended with code ${code}`))),
  ]);
  await ended;
  // Safe: the shopper sends nothing else.
  return result as ShoppingResult;
}
