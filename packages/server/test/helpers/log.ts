import { z } from 'zod';
import { readConfig, type ServerOverrides, startServer } from '../../src/index.ts';

const line = z.record(z.string(), z.unknown());
export type LogLine = z.infer<typeof line>;

/** Starts a sandbox that logs everything into `lines`. */
export async function startLogged(environment: Record<string, string> = {}, parts: ServerOverrides = {}) {
  const texts: string[] = [];
  const server = await startServer(
    readConfig({
      TOPUP_MODE: 'sandbox',
      TOPUP_STORE: 'memory:',
      PORT: '0',
      TOPUP_LOG_LEVEL: 'debug',
      ...environment,
    }),
    { ...parts, log: { write: (text) => void texts.push(text) } },
  );
  const lines = (message?: string): LogLine[] =>
    texts
      .map((text) => line.parse(JSON.parse(text)))
      .filter(({ msg }) => message === undefined || msg === message);
  return {
    server,
    texts,
    lines,
    /** The line of the request with this id; waits until the server has written it. */
    async request(id: string): Promise<LogLine> {
      for (let count = 0; count < 200; count += 1) {
        const found = lines().filter(({ requestId }) => requestId === id);
        if (found.length > 1) throw new Error(`${found.length} lines of ${id}`);
        if (found[0]) return found[0];
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error(`no line of ${id}: ${texts.join('')}`);
    },
  };
}
