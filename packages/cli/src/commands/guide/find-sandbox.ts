import { headers } from '@topup-kit/core/contract';
import { sandboxKey } from '@topup-kit/core/engine';
import { sandboxBaseUrl } from '../../connection.ts';
import { type Io, setting } from '../../io.ts';

/** A sandbox to try things with. */
export interface GuideSandbox extends AsyncDisposable {
  baseUrl: string;
  /** Whether it runs within this command, and ends with it. */
  isOurs: boolean;
}

const patience = 1000;

/** Where `topup serve --sandbox` answers. */
function usualBaseUrl(io: Io): string {
  const url = new URL(sandboxBaseUrl);
  url.port = setting(io, 'PORT') ?? url.port;
  return url.href;
}

async function isSandbox(baseUrl: string): Promise<boolean> {
  try {
    const answer = await fetch(new URL('/sandbox', baseUrl), {
      headers: { [headers.apiKey]: sandboxKey },
      signal: AbortSignal.timeout(patience),
    });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

async function startSandbox(port: string) {
  const { readConfig, startServer } = await import('@topup-kit/server');
  return startServer(readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: port }));
}

/** Any port will do where another program has the usual one. */
async function startAnywhere(io: Io) {
  const { ConfigError } = await import('@topup-kit/server');
  return startSandbox(new URL(usualBaseUrl(io)).port).catch((error: unknown) => {
    if (error instanceof ConfigError) return startSandbox('0');
    throw error;
  });
}

/** The sandbox that runs on this machine, or else one that keeps everything in memory and ends with this command. */
export async function findSandbox(io: Io): Promise<GuideSandbox> {
  const baseUrl = usualBaseUrl(io);
  if (await isSandbox(baseUrl)) return { baseUrl, isOurs: false, async [Symbol.asyncDispose]() {} };
  const server = await startAnywhere(io);
  return { baseUrl: server.baseUrl, isOurs: true, [Symbol.asyncDispose]: () => server.close() };
}
