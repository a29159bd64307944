import { startBenchProcess } from './bench-process.ts';

/** A process that calls something again and again. */
export interface BenchCaller extends AsyncDisposable {
  /** Microseconds of one call, in the mean of so many one after another. */
  round(calls: number): Promise<number>;
}

/** Starts a caller of `bench/callers` as a process of its own. */
export async function startBenchCaller(
  script: string,
  environment: Record<string, string> = {},
): Promise<BenchCaller> {
  const caller = await startBenchProcess(`callers/${script}`, environment);
  return {
    round: async (calls) => Number(await caller.ask(calls)),
    [Symbol.asyncDispose]: () => caller[Symbol.asyncDispose](),
  };
}
