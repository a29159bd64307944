import { systemCode } from '../errors/cli-error.ts';
import { stopped } from '../input/prompts.ts';
import type { Io } from '../io.ts';

export interface ProbeResponse {
  status: number;
  headers: Headers;
  /** Parsed body; undefined if it is not JSON. */
  body: unknown;
  /** Times when the request was sent and when the response headers arrived, in unix milliseconds of this machine. */
  sentAt: number;
  respondedAt: number;
}

/** Reason why there is no response, and its fix. */
export interface ProbeFailure {
  found: string;
  fix: string;
}

type ProbeResult = { response: ProbeResponse } | { failure: ProbeFailure };

const timeoutMs = 10_000;

const isEncryption = (code: string): boolean => /CERT|TLS|SSL|EPROTO|SIGNATURE/.test(code);

/** Explains the system error of a failed request. */
export function explainFailure(error: unknown, url: URL): ProbeFailure {
  const code = systemCode(error) ?? '';
  const { host, hostname } = url;
  if (error instanceof Error && error.name === 'TimeoutError')
    return {
      found: `${host} did not respond within ${timeoutMs / 1000} seconds.`,
      fix: 'Try again; the service may be busy, or a firewall may block the connection.',
    };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return {
      found: `The name ${hostname} can't be resolved (${code}).`,
      fix: 'Check its spelling in the base URL, and that this machine reaches the network.',
    };
  if (code === 'ECONNREFUSED')
    return {
      found: `Nothing listens at ${host} (${code}).`,
      fix: 'Start the service, or check the host and port of the base URL.',
    };
  if (isEncryption(code))
    return {
      found: `The encryption of ${host} can't be trusted, or is missing (${code}).`,
      fix: 'Check http or https in the base URL. Put your own certificate into NODE_EXTRA_CA_CERTS.',
    };
  return {
    found: `The connection to ${host} failed (${code || 'no reason was given'}).`,
    fix: 'Check the host and port of the base URL, and that this machine reaches the network.',
  };
}

/** Sends one request. It doesn't follow redirects, which would forward the key. */
export async function probe(url: URL, io: Io, headers: Record<string, string> = {}): Promise<ProbeResult> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = io.signal ? AbortSignal.any([io.signal, timeout]) : timeout;
  const sentAt = Date.now();
  try {
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    const respondedAt = Date.now();
    const body: unknown = await response.json().catch(() => undefined);
    return { response: { status: response.status, headers: response.headers, body, sentAt, respondedAt } };
  } catch (error) {
    if (io.signal?.aborted) throw stopped(io.signal);
    return { failure: explainFailure(error, url) };
  }
}
