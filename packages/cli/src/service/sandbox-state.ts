import { createClientOn } from '@topup-kit/sdk/internal/client';
import { isTopupError } from '@topup-kit/sdk/light';
import type { Io } from '../io.ts';
import { isObject } from '../json.ts';
import { printable } from '../output/text.ts';
import { serverRoot } from './connection.ts';
import { platform } from './platform.ts';

/** State of a sandbox's simulation. */
export interface SandboxState {
  /** Offset of the sandbox's clock from real time, in milliseconds. */
  aheadMs: number;
  /** Active fault, such as `maintenance (every call fails with 503)`; undefined if there is none. */
  fault: string | undefined;
}

/** Timeout in milliseconds. It is short, because a command waits for this request after its own. */
const timeoutMs = 3_000;

/** Reads the controls. Ignores errors, which other requests report. */
async function readControls(root: string, apiKey: string | undefined, { signal }: Io): Promise<unknown> {
  try {
    const client = createClientOn(platform, { baseUrl: root, apiKey, maxRetries: 0 });
    return await client.request('GET', '/sandbox', { signal, timeout: timeoutMs });
  } catch (error) {
    if (isTopupError(error)) return undefined;
    throw error;
  }
}

/** Reads the simulation of a sandbox; undefined for any other service. */
export async function sandboxState(
  url: URL,
  key: string | undefined,
  io: Io,
): Promise<SandboxState | undefined> {
  const body = await readControls(serverRoot(url), key, io);
  if (!isObject(body) || !isObject(body.data) || !isObject(body.data.scenarios)) return undefined;
  const { ahead_ms: ahead, scenario, scenarios } = body.data;
  const isOn = typeof scenario === 'string' && scenario !== 'none';
  return {
    aheadMs: typeof ahead === 'number' ? ahead : 0,
    fault: isOn ? printable(`${scenario} (${scenarios[scenario]})`) : undefined,
  };
}
