import { systemCode } from '../errors/cli-error.ts';
import { stopped } from '../input/prompts.ts';
import type { Io } from '../io.ts';

/** An answer, whatever it says. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Undefined where it is no JSON. */
  body: unknown;
  /** When the question left, and when the answer's head came, in unix milliseconds of this machine. */
  sentAt: number;
  answeredAt: number;
}

/** Why there was no answer, and what to do about it. */
export interface Silence {
  found: string;
  fix: string;
}

type Reached = { answer: Answer } | { silence: Silence };

const timeoutMs = 10_000;

const isEncryption = (code: string): boolean => /CERT|TLS|SSL|EPROTO|SIGNATURE/.test(code);

/** What the system says of a failed question, in words. */
export function explainSilence(error: unknown, url: URL): Silence {
  const code = systemCode(error) ?? '';
  const { host, hostname } = url;
  if (error instanceof Error && error.name === 'TimeoutError')
    return {
      found: `${host} did not answer within ${timeoutMs / 1000} seconds.`,
      fix: 'Try again; the service may be busy, or something on the way lets nothing through.',
    };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return {
      found: `The name ${hostname} leads nowhere (${code}).`,
      fix: 'Check its spelling in the base URL, and that this machine reaches the network.',
    };
  if (code === 'ECONNREFUSED')
    return {
      found: `Nothing listens at ${host} (${code}).`,
      fix: 'Start the service, or check host and port of the base URL.',
    };
  if (isEncryption(code))
    return {
      found: `The encryption of ${host} is not to be trusted, or is none (${code}).`,
      fix: 'Check http or https in the base URL. A certificate of your own goes into NODE_EXTRA_CA_CERTS.',
    };
  return {
    found: `The connection to ${host} failed (${code || 'no reason was given'}).`,
    fix: 'Check host and port of the base URL, and that this machine reaches the network.',
  };
}

/** Asks an address once, and follows nowhere: a redirect would carry the key along. */
export async function reach(url: URL, io: Io, headers: Record<string, string> = {}): Promise<Reached> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = io.signal ? AbortSignal.any([io.signal, timeout]) : timeout;
  const sentAt = Date.now();
  try {
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    const answeredAt = Date.now();
    const body: unknown = await response.json().catch(() => undefined);
    return { answer: { status: response.status, headers: response.headers, body, sentAt, answeredAt } };
  } catch (error) {
    if (io.signal?.aborted) throw stopped(io.signal);
    return { silence: explainSilence(error, url) };
  }
}
