import { startBenchProcess } from './bench-process.ts';

/** CPU time that a process used so far, in microseconds. */
export type CpuTime = number;

export interface BenchServer extends AsyncDisposable {
  baseUrl: string;
  cpuTime(): Promise<CpuTime>;
}

/** Starts a server of `bench/servers` as a process of its own, and waits until it answers. */
export async function startBenchServer(
  script: string,
  environment: Record<string, string>,
): Promise<BenchServer> {
  const server = await startBenchProcess(`servers/${script}`, environment);
  return {
    baseUrl: String(server.greeting),
    cpuTime: async () => Number(await server.ask('cpu')),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
