/**
 * Waits at most `timeoutMs` of real time for work that may ignore its signal.
 *
 * @throws Error with `message` after that time.
 */
export function withTimeout<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  message: string,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(message)), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Time-outs of a gateway and a supplier for one response, in milliseconds of real time. */
export const gatewayTimeoutMs = 10_000;
const supplierTimeoutMs = 15_000;

/** Creates a function that sends a request to a provider, and stops waiting after the time-out, even if the adapter ignores the signal. */
const ask =
  (provider: string, usualMs: number) =>
  <Result>(send: (signal: AbortSignal) => Promise<Result>, timeoutMs = usualMs): Promise<Result> =>
    withTimeout(send(AbortSignal.timeout(timeoutMs)), timeoutMs, `the ${provider} did not respond in time`);

export const askGateway = ask('gateway', gatewayTimeoutMs);
export const askSupplier = ask('supplier', supplierTimeoutMs);

/** Lets other tasks run during long work. It uses a message instead of a timer, because fake timers in a test would block it forever. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
