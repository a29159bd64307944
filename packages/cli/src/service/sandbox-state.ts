import { headers } from '@topup-kit/core/contract';
import type { Io } from '../io.ts';
import { isObject } from '../json.ts';
import { printable } from '../output/text.ts';
import { serverRoot } from './connection.ts';
import { probe } from './probe.ts';

/** What a sandbox simulates. */
export interface SandboxState {
  /** How far its clock is ahead of real time, in milliseconds. */
  aheadMs: number;
  /** The fault that is on, as `maintenance (every call fails with 503)`; undefined for none. */
  fault: string | undefined;
}

/** What a sandbox simulates; undefined for any other service. */
export async function sandboxState(
  url: URL,
  key: string | undefined,
  io: Io,
): Promise<SandboxState | undefined> {
  const root = `${serverRoot(url)}/sandbox`;
  const result = await probe(new URL(root), io, key === undefined ? {} : { [headers.apiKey]: key });
  const body = 'response' in result ? result.response.body : undefined;
  if (!isObject(body) || !isObject(body.data) || !isObject(body.data.scenarios)) return undefined;
  const { ahead_ms: ahead, scenario, scenarios } = body.data;
  const isOn = typeof scenario === 'string' && scenario !== 'none';
  return {
    aheadMs: typeof ahead === 'number' ? ahead : 0,
    fault: isOn ? printable(`${scenario} (${scenarios[scenario]})`) : undefined,
  };
}
