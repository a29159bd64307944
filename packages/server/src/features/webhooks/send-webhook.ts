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

/** For everything from the lookup of the name to the end of the response, in milliseconds. */
const defaultTimeoutMs = 15_000;

/** Of a response's body, in bytes: what is kept of it, and what is read of it at most. */
const keptBytes = 2_048;
const maxBytes = 65_536;

/** Of a header that is kept, in characters. */
const longestHeader = 100;

/** Text that every store takes: no character that is cut in two, and no U+0000, which PostgreSQL rejects. */
const textOf = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD');

/** Reads the beginning of a body. What was cut off counts as ended: the status had come. */
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
  /** Aborted when it takes too long, or the caller stops it. */
  ended: AbortSignal;
  /** Called when the head of the response has come. */
  onStatus(): void;
}

/** Sends it over one connection; `begun` gets the request at once. */
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
    // A change of protocol, which was not asked for, is no success either.
    outgoing.on('upgrade', ({ statusCode: status = 0 }, socket) => {
      socket.destroy();
      resolve({ status, retryAfter: null, body: '' });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });

const isReset = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/** Sends it, again if the endpoint was closing a connection that was kept: if it has seen it, it knows it by its id. */
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

/** Rejects with the reason of a signal when that is aborted. */
const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** Sends it within `timeoutMs`. */
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

/** Codes of errors of a connection, and what they mean. */
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
    DEPTH_ZERO_SELF_SIGNED_CERT: 'is signed by nobody but itself',
    SELF_SIGNED_CERT_IN_CHAIN: 'is signed by an authority that is not known here',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is signed by an authority that is not known here',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes without the certificates between it and its authority',
    ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name',
  }),
);

const isTlsCode = (code: string): boolean => /^(ERR_(SSL|TLS)|EPROTO$|CERT_|UNABLE_TO_)/.test(code);

/** Says in a sentence what an error of a request to `place`, a host with its port, means. */
function describeSendError(error: unknown, place: string): WebhookSendError {
  if (error instanceof WebhookSendError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  const certificate = certificateProblems.get(code);
  const sentence = (): string => {
    if (certificate !== undefined) return `The certificate of ${place} ${certificate}.`;
    if (isTlsCode(code)) return `There is no TLS connection with ${place} (${code}).`;
    if (code.startsWith('HPE_')) return `${place} responded with something that is not HTTP (${code}).`;
    return `${place} ${connectionProblems.get(code) ?? `can't be sent anything (${code})`}.`;
  };
  return new WebhookSendError(sentence(), { cause: error });
}

export interface WebhookTransportOptions extends Partial<ConnectionGuard> {
  mode: 'live' | 'sandbox';
}

export interface WebhookTransport {
  /** Rejects with a {@link WebhookSendError} when there is no response. */
  send: SendWebhook;
  /** Closes the connections that are kept for the next event. */
  close(): void;
}

/**
 * Creates what sends events. In live mode it sends only over https to public addresses, which are checked when the name
 * was looked up and when the connection is made; in a sandbox also elsewhere. It follows no redirect, waits 15 s at most,
 * and reads little of what an endpoint responds.
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
