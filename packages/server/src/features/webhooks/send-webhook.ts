import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { SendWebhook, WebhookRequest, WebhookResponse } from '@topup-kit/core/engine';
import { version } from '../../version.ts';
import {
  type ConnectionGuard,
  checkEndpointUrl,
  createDnsLookup,
  createGuardedAgents,
  type GuardedAgents,
  isPublicAddress,
  resolveBySystem,
  WebhookSendError,
} from './guarded-agent.ts';

/** Time limit from the lookup of the name to the end of the response, in milliseconds. */
const defaultTimeoutMs = 15_000;

/** Maximum size of the part of a response's body that is read and kept, in bytes. */
const keptBytes = 2_048;
const maxBytes = 65_536;

/** Maximum length of a kept header, in characters. */
const longestHeader = 100;

/** Decodes text so that every store accepts it: without halves of characters, and without U+0000, which PostgreSQL rejects. */
const textOf = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD');

/** Reads the start of a body. A body that was cut off counts as complete, because its status arrived. */
const readBeginning = (response: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    const kept: Buffer[] = [];
    let length = 0;
    const finish = (): void => resolve(textOf(Buffer.concat(kept).subarray(0, keptBytes)));
    response.on('data', (chunk: Buffer) => {
      if (length < keptBytes) kept.push(chunk);
      length += chunk.length;
      if (length > maxBytes) response.destroy();
    });
    response.on('end', finish).on('error', finish).on('close', finish);
  });

async function readResponse(response: IncomingMessage): Promise<WebhookResponse> {
  const { statusCode: status = 0, headers } = response;
  const retryAfter = headers['retry-after']?.slice(0, longestHeader) ?? null;
  return { status, retryAfter, body: await readBeginning(response) };
}

interface Sending {
  request: WebhookRequest;
  agents: GuardedAgents;
  /** Aborted by the timeout or by the caller. */
  ended: AbortSignal;
  /** Called when the status and headers have arrived. */
  onStatus(): void;
}

/** Sends the event over one connection, and passes the request to `begun` immediately. */
const sendOnce = (
  { request: { url, headers, body }, agents, onStatus }: Sending,
  begun: (outgoing: ClientRequest) => void,
): Promise<WebhookResponse> =>
  new Promise((resolve, reject) => {
    const isSecure = url.toLowerCase().startsWith('https:');
    const outgoing = (isSecure ? requestHttps : requestHttp)(url, {
      method: 'POST',
      agent: isSecure ? agents.https : agents.http,
      headers: {
        'content-type': 'application/json',
        ...headers,
        'content-length': Buffer.byteLength(body),
        'user-agent': `TopupKit-Webhooks/${version}`,
      },
    });
    begun(outgoing);
    outgoing.on('response', (response) => {
      onStatus();
      readResponse(response).then(resolve, reject);
    });
    // A change of protocol that was not requested is a failure.
    outgoing.on('upgrade', ({ statusCode: status = 0 }, socket) => {
      socket.destroy();
      resolve({ status, retryAfter: null, body: '' });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });

const isReset = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/** Sends the event, and repeats this if the endpoint closed a kept connection. An endpoint that received it twice recognises its id. */
async function sendOverKept(sending: Sending): Promise<WebhookResponse> {
  const { ended } = sending;
  for (;;) {
    let outgoing: ClientRequest | undefined;
    const stop = (): void => void outgoing?.destroy();
    ended.addEventListener('abort', stop);
    try {
      return await sendOnce(sending, (begun) => {
        outgoing = begun;
      });
    } catch (error) {
      if (ended.aborted || !outgoing?.reusedSocket || !isReset(error)) throw error;
    } finally {
      ended.removeEventListener('abort', stop);
    }
  }
}

const isTimeOut = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError';

/** Rejects with the signal's reason when the signal is aborted. */
const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** Sends the event within `timeoutMs`. */
async function sendInTime(
  request: WebhookRequest,
  agents: GuardedAgents,
  timeoutMs: number,
): Promise<WebhookResponse> {
  const { host } = new URL(request.url);
  const ended = new AbortController();
  let hasStatus = false;
  const end = (sentence: string): void => ended.abort(new WebhookSendError(sentence));
  const timeOut = (within: string): void =>
    end(`${hasStatus ? `The response of ${host} did not end` : `${host} did not respond`} ${within}.`);
  const timer = setTimeout(() => timeOut(`within ${timeoutMs / 1_000} seconds`), timeoutMs);
  const stop = (): void =>
    isTimeOut(request.signal.reason) ? timeOut('in time') : end(`Sending to ${host} was stopped.`);
  request.signal.addEventListener('abort', stop);
  if (request.signal.aborted) stop();
  try {
    ended.signal.throwIfAborted();
    const onStatus = (): void => {
      hasStatus = true;
    };
    const sent = sendOverKept({ request, agents, ended: ended.signal, onStatus });
    return await Promise.race([whenAborted(ended.signal), sent]);
  } catch (error) {
    throw describeSendError(error, host);
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', stop);
  }
}

/** Meanings of connection errors, by code. */
const connectionProblems: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ECONNREFUSED: 'refused the connection',
    ECONNRESET: 'closed the connection without a response',
    EPIPE: 'closed the connection without a response',
    ETIMEDOUT: "can't be reached",
    EHOSTUNREACH: "can't be reached",
    ENETUNREACH: "can't be reached",
    EADDRNOTAVAIL: "can't be reached",
  }),
);

const certificateProblems: ReadonlyMap<string, string> = new Map(
  Object.entries({
    CERT_HAS_EXPIRED: 'has expired',
    CERT_NOT_YET_VALID: 'is not valid yet',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
    SELF_SIGNED_CERT_IN_CHAIN: "is signed by an authority that this machine doesn't trust",
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "is signed by an authority that this machine doesn't trust",
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'is sent without its intermediate certificates',
    ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name',
  }),
);

const isTlsCode = (code: string): boolean => /^(ERR_(SSL|TLS)|EPROTO$|CERT_|UNABLE_TO_)/.test(code);

/** Describes an error of a request to `place`, a host with its port, in one sentence. */
function describeSendError(error: unknown, place: string): WebhookSendError {
  if (error instanceof WebhookSendError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  const certificate = certificateProblems.get(code);
  const sentence = (): string => {
    if (certificate !== undefined) return `The certificate of ${place} ${certificate}.`;
    if (isTlsCode(code)) return `The TLS connection to ${place} failed (${code}).`;
    if (code.startsWith('HPE_')) return `${place} did not respond with HTTP (${code}).`;
    return `${place} ${connectionProblems.get(code) ?? `can't receive requests (${code})`}.`;
  };
  return new WebhookSendError(sentence(), { cause: error });
}

export interface WebhookTransportOptions extends Partial<ConnectionGuard> {
  mode: 'live' | 'sandbox';
}

export interface WebhookTransport {
  /** Sends an event. Rejects with a {@link WebhookSendError} if there is no response. */
  send: SendWebhook;
  /** Closes the idle connections. */
  close(): void;
}

/**
 * Creates the transport of events. In live mode it uses only https to public addresses, which it checks after the lookup and again on
 * connecting. In a sandbox it sends to any address. It follows no redirects, waits at most 15 s, and reads only the start of a response.
 *
 * @example
 * const { send } = createWebhookTransport({ mode: 'live' });
 * const { status } = await send({ url, headers, body, signal });
 */
export function createWebhookTransport({ mode, ...options }: WebhookTransportOptions): WebhookTransport {
  const isSandbox = mode === 'sandbox';
  const guard: ConnectionGuard = {
    resolve: isSandbox ? resolveBySystem : createDnsLookup(),
    isAllowed: isSandbox ? () => true : isPublicAddress,
    timeoutMs: defaultTimeoutMs,
    ...options,
  };
  const agents = createGuardedAgents(guard);
  return {
    async send(request) {
      const problem = checkEndpointUrl(request.url, mode);
      if (problem !== undefined) throw new WebhookSendError(problem);
      return sendInTime(request, agents, guard.timeoutMs);
    },
    close: agents.close,
  };
}
