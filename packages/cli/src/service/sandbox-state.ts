import { createClientOn } from '@topup-kit/sdk/internal/client';
import { isTopupError } from '@topup-kit/sdk/light';
import type { Io } from '../io.ts';
import { isObject } from '../json.ts';
import { printable } from '../output/text.ts';
import { serverRoot } from './connection.ts';
import { platform } from './platform.ts';

/** The simulation of a sandbox. */
export interface SandboxState {
  /** Offset of its clock from real time, in milliseconds. */
  aheadMs: number;
  /** The active fault, as `maintenance (every call fails with 503)`; undefined for none. */
  fault: string | undefined;
}

/** Short, because a command waits for it after its own request. */
const timeoutMs = 3_000;

/** Ignores errors, which other requests report. */
async function readControls(root: string, apiKey: string | undefined, { signal }: Io): Promise<unknown> {
  try {
    const client = createClientOn(platform, { baseUrl: root, apiKey, maxRetries: 0 });
    return await client.request('GET', '/sandbox', { signal, timeout: timeoutMs });
  } catch (error) {
    if (isTopupError(error)) return undefined;
    throw error;
  }
}

/** The simulation of a sandbox; undefined for any other service. */
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
