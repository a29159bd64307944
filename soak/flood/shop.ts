import { runProgram } from '../load/load.ts';

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
export const shop = (options: Shopping): Promise<ShoppingResult> =>
  runProgram(new URL('shopper.ts', import.meta.url), options);
