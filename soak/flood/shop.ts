import { runProgram } from '../load/load.ts';

export interface Shopping {
  port: number;
  /** Number of customers. Each places an order, which the gateway reports as paid, and then waits for `thinkMs`. */
  customers: number;
  thinkMs: number;
  seconds: number;
  /** Address from which the gateway's callbacks come. */
  gatewayAddress: string;
}

/** Latencies of requests, in milliseconds. */
export interface Latencies {
  count: number;
  p50: number;
  p99: number;
  slowest: number;
}

export interface ShoppingResult {
  orders: Latencies;
  callbacks: Latencies;
  /** Responses that were wrong. */
  wrong: string[];
}

/** Buys at a server from a separate process. */
export const shop = (options: Shopping): Promise<ShoppingResult> =>
  runProgram(new URL('shopper.ts', import.meta.url), options);
