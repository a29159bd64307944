import { headers } from '@topup-kit/core/contract';
import { type Io, setting } from '../../io.ts';
import { sandboxBaseUrl, sandboxKey } from '../../service/connection.ts';

/** A sandbox to try things with. */
export interface GuideSandbox extends AsyncDisposable {
  baseUrl: string;
  /** Whether it runs within this command, and ends with it. */
  isOurs: boolean;
}

const patience = 1000;

const hasWorld = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  'data' in body &&
  typeof body.data === 'object' &&
  body.data !== null &&
  'scenarios' in body.data;

async function isSandbox(baseUrl: string): Promise<boolean> {
  try {
    const answer = await fetch(new URL('/sandbox', baseUrl), {
      headers: { [headers.apiKey]: sandboxKey },
      redirect: 'manual',
      signal: AbortSignal.timeout(patience),
    });
    return answer.ok && hasWorld(await answer.json());
  } catch {
    return false;
  }
}

/**
 * The sandbox that runs where `topup serve --sandbox` would, or else one that keeps everything in memory and ends with
 * this command; on any port where another program has that one.
 */
export async function findSandbox(io: Io): Promise<GuideSandbox> {
  const { ConfigError, readConfig, startServer } = await import('@topup-kit/server');
  const config = readConfig({
    ...{ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:' },
    PORT: setting(io, 'PORT') ?? new URL(sandboxBaseUrl).port,
  });
  const usual = new URL(sandboxBaseUrl);
  usual.port = String(config.port);
  if (config.port !== 0 && (await isSandbox(usual.href)))
    return { baseUrl: usual.href, isOurs: false, async [Symbol.asyncDispose]() {} };
  const server = await startServer(config).catch((error: unknown) => {
    if (error instanceof ConfigError) return startServer({ ...config, port: 0 });
    throw error;
  });
  return { baseUrl: server.baseUrl, isOurs: true, [Symbol.asyncDispose]: () => server.close() };
}
