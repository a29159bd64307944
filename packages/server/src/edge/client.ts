import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { PlainResponse } from '@topup-kit/core/app';
import { isKeyText, sandboxKey } from '@topup-kit/core/contract';
import { isLocalName, withoutPort } from '@topup-kit/core/http';
import type { Logger } from 'pino';
import { matcherOf } from '../config/address-list.ts';

/** What is looked at to find the sender of a request. */
type Sender = Pick<IncomingMessage, 'headers' | 'socket'>;

/** What is looked at to know whether a request is direct. */
type Request = Pick<IncomingMessage, 'headers' | 'httpVersionMinor' | 'rawHeaders' | 'socket'>;

export interface ClientAddresses {
  /** The address of the client that sent a request; empty when its connection is already gone. */
  addressOf(request: Sender): string;
  /** Whether a request came from a trusted proxy. */
  isFromProxy(request: Sender): boolean;
}

/**
 * The same addresses, and calls `warn` once when somebody who is no trusted proxy says for whom it asks: it may be a proxy
 * that was forgotten.
 */
export function warnOfUntrustedProxy(
  addresses: ClientAddresses,
  warn: (fields: { address: string }, message: string) => void,
): ClientAddresses {
  let warned = false;
  return {
    ...addresses,
    addressOf(request) {
      const address = addresses.addressOf(request);
      if (!warned && request.headers['x-forwarded-for'] !== undefined && !addresses.isFromProxy(request)) {
        warned = true;
        warn(
          { address },
          'X-Forwarded-For of this address is not read, because it is no trusted proxy: all clients behind it share one limit. If it is your proxy, set TOPUP_TRUSTED_PROXIES',
        );
      }
      return address;
    },
  };
}

/**
 * Finds the addresses of clients behind trusted proxies, which are addresses or networks such as `10.0.0.0/8`. Each proxy
 * adds the address that it saw to the end of `X-Forwarded-For`, so the client is the last one there that is no such proxy.
 * What stands before it may be invented. From any other sender the header is not read.
 */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const isProxy = matcherOf(trustedProxies);
  const senderOf = ({ socket }: Sender): string => socket.remoteAddress ?? '';
  if (trustedProxies.length === 0) return { addressOf: senderOf, isFromProxy: () => false };

  return {
    isFromProxy: (request) => isProxy(senderOf(request)),
    addressOf(request) {
      let address = senderOf(request);
      // Safe: Node joins this header to one text.
      const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
      while (isProxy(address)) {
        const before = withoutPort(forwarded.pop() ?? '');
        if (isIP(before) === 0) break;
        address = before;
      }
      return address;
    },
  };
}

/** At most so many addresses are logged, so that strangers can't fill the memory. */
const maxLoggedAddresses = 1_000;

/** Whether an address may send callbacks. Each address that may not is logged once. */
export function createAddressCheck(entries: readonly string[], logger: Logger): (address: string) => boolean {
  const matches = matcherOf(entries);
  const logged = new Set<string>();
  return (address) => {
    if (matches(address)) return true;
    if (!logged.has(address) && logged.size < maxLoggedAddresses) {
      logged.add(address);
      logger.warn(
        { address },
        'callbacks from this address are rejected: TOPUP_CALLBACK_ADDRESSES does not have it',
      );
    }
    return false;
  };
}

export type DirectCheck = (request: Request) => boolean;

const loopbackAddress = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

/** The host of a `Host` header or an origin, without its port. */
const nameOf = (host: string): string => host.replace(/:\d+$/, '');

/**
 * Headers that proxies and tunnels add: the request was sent by somebody else. Not `CF-Worker`, which a Worker in development adds to
 * requests of its own; from Cloudflare's network it would come with `CF-Ray`.
 */
const proxyHeader =
  /^(forwarded$|via$|cdn-loop$|(x-|true-)?client-ip$|do-connecting-ip$|x-(forwarded|cluster)($|-)|x-(real|original|envoy|azure|amzn|vercel|appengine)-|cf-(ray|connecting-|pseudo-ipv4|ipcountry|visitor|ew-via|access-)|(fly|fastly|ngrok|tailscale)-)/i;

const throughProxy = 'it came through a proxy';

/**
 * Why the headers are not those of a direct request: they name a proxy, or no host of this machine. Not by `headers`: the
 * listener replaces their host.
 */
function whyForOthers({ rawHeaders }: Request, isOwnName: (name: string) => boolean): string | null {
  let own = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (proxyHeader.test(name)) return throughProxy;
    if (name.length === 4 && name.toLowerCase() === 'host')
      own = isOwnName(nameOf(rawHeaders[index + 1] ?? ''));
  }
  return own ? null : 'its Host is no name of this machine';
}

/** Whether a page of another machine, or of another site, sent a request. A link that was followed has no origin. */
function isFromForeignPage({ headers }: Request, isOwnName: (name: string) => boolean): boolean {
  const { origin } = headers;
  if (origin !== undefined) {
    const [, host] = /^https?:\/\/(.+)$/.exec(origin) ?? [];
    if (host === undefined || !isOwnName(nameOf(host))) return true;
  }
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  return !(headers['sec-fetch-mode'] === 'navigate' && origin === undefined);
}

/**
 * Returns a function that says why a request does not come directly from this machine (decisions/023): over loopback, to a
 * name of this machine, through no proxy, and from no page of another site. Null when it does: only such a request may use
 * what needs no secret.
 *
 * A reverse proxy on this machine that adds no header shows itself by HTTP/1.0, as nginx does by default, or by a public URL
 * with `https:`, because the server itself speaks only HTTP.
 */
export function createDirectCheck(
  urls: { localUrl: string; publicUrl: string },
  isFromProxy: DirectCheck = () => false,
): (request: Request) => string | null {
  if (urls.publicUrl.startsWith('https:')) return () => 'TOPUP_PUBLIC_URL is https, so a proxy is in front';
  const ownName = new URL(urls.localUrl).hostname;
  const isOwnName = (name: string): boolean => isLocalName(name) || name.toLowerCase() === ownName;
  return (request) => {
    if (!loopbackAddress.test(request.socket.remoteAddress ?? '')) return 'it came from another machine';
    if (request.httpVersionMinor !== 1 || isFromProxy(request)) return throughProxy;
    const forOthers = whyForOthers(request, isOwnName);
    if (forOthers !== null) return forOthers;
    return isFromForeignPage(request, isOwnName) ? 'a page of another origin sent it' : null;
  };
}

const advice = (reason: string): string =>
  `it works only in direct requests (docs/sandbox.md): ${reason}; set TOPUP_API_KEY to a key of your own and send that`;

/** Said of a well-formed test key, which opens a world of its own only in some sandboxes. */
const worldHint =
  'This sandbox does not know this key. A test key opens a world of its own (docs/sandbox.md) only with --store memory:, and only in direct requests from this machine.';

/**
 * The 401 to a request, with a `hint` (ours) that says why a sandbox rejected its well-known key or that of a world. Everybody
 * knows or can make these keys, so the hint tells nobody what a rejected key would be.
 */
export function withHint(
  response: PlainResponse,
  request: Request,
  whyIndirect: ReturnType<typeof createDirectCheck>,
): PlainResponse {
  const key = request.headers['x-api-key'];
  if (typeof response.body !== 'string' || typeof key !== 'string') return response;
  const reason = key === sandboxKey ? whyIndirect(request) : null;
  if (reason === null && (key === sandboxKey || !(key.startsWith('tk_test_') && isKeyText(key))))
    return response;
  const hint = reason === null ? worldHint : `This is the well-known sandbox key: ${advice(reason)}.`;
  return { ...response, body: JSON.stringify({ ...JSON.parse(response.body), hint }) };
}

/**
 * Returns whether a request is direct. Calls `warn` once when the well-known key comes in one that is not, because some clients show
 * only the status.
 */
export function explainOnce(
  whyIndirect: ReturnType<typeof createDirectCheck>,
  warn: (message: string) => void,
): DirectCheck {
  let explained = false;
  return (request) => {
    const reason = whyIndirect(request);
    if (reason !== null && !explained && request.headers['x-api-key'] === sandboxKey) {
      explained = true;
      warn(`the well-known sandbox key was rejected, because ${advice(reason)}`);
    }
    return reason === null;
  };
}
