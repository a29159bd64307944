import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLocalName, withoutPort } from '@topup-kit/core/http';
import { matcherOf } from '../config/address-list.ts';

/** The parts of a request that identify its sender. */
type Sender = Pick<IncomingMessage, 'headers' | 'socket'>;

/** The parts of a request that show whether it is direct. */
export type Request = Pick<IncomingMessage, 'headers' | 'httpVersionMinor' | 'rawHeaders' | 'socket'>;

export interface ClientAddresses {
  /** Returns the address of a request's client; empty if its connection is already closed. */
  addressOf(request: Sender): string;
  isFromProxy(request: Sender): boolean;
}

/** Wraps a lookup of client addresses. Calls `warn` once if an untrusted sender names another client: it may be a forgotten proxy. */
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
          'The server ignores X-Forwarded-For of this address, because it is not a trusted proxy. All clients behind it share one limit. If it is your proxy, set TOPUP_TRUSTED_PROXIES',
        );
      }
      return address;
    },
  };
}

/**
 * Finds clients' addresses behind trusted proxies, given as addresses or networks such as `10.0.0.0/8`. Each proxy appends the sender's
 * address to `X-Forwarded-For`, so the client is the last untrusted address; addresses before it may be forged. The header of any other
 * sender is ignored.
 */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const isProxy = matcherOf(trustedProxies);
  const senderOf = ({ socket }: Sender): string => socket.remoteAddress ?? '';
  if (trustedProxies.length === 0) return { addressOf: senderOf, isFromProxy: () => false };

  return {
    isFromProxy: (request) => isProxy(senderOf(request)),
    addressOf(request) {
      let address = senderOf(request);
      // Safe: Node joins repetitions of this header into one text.
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

export type DirectCheck = (request: Request) => boolean;

/** Returns the reason why a request is not direct; null if it is direct. */
export type WhyIndirect = (request: Request) => string | null;

const loopbackAddress = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

/** Returns the host in a `Host` header or an origin, without its port. */
const nameOf = (host: string): string => host.replace(/:\d+$/, '');

/**
 * Headers that proxies and tunnels add to requests that they forward. `CF-Worker` is not listed, because a Worker in development adds it to
 * its own requests; Cloudflare's network also sends `CF-Ray`.
 */
const proxyHeader =
  /^(forwarded$|via$|cdn-loop$|(x-|true-)?client-ip$|do-connecting-ip$|x-(forwarded|cluster)($|-)|x-(real|original|envoy|azure|amzn|vercel|appengine)-|cf-(ray|connecting-|pseudo-ipv4|ipcountry|visitor|ew-via|access-)|(fly|fastly|ngrok|tailscale)-)/i;

const throughProxy = 'it came through a proxy';

/**
 * Returns the reason why the headers can't belong to a direct request: they name a proxy, or a host that is not this machine. Reads raw
 * headers, because the listener replaces the host.
 */
function whyForOthers({ rawHeaders }: Request, isOwnName: (name: string) => boolean): string | null {
  let own = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (proxyHeader.test(name)) return throughProxy;
    if (name.length === 4 && name.toLowerCase() === 'host')
      own = isOwnName(nameOf(rawHeaders[index + 1] ?? ''));
  }
  return own ? null : 'its Host header is not a name of this machine';
}

/** Tells whether a request comes from a page of another machine or site. A request for a followed link has no origin. */
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
 * Creates a function that returns the reason why a request does not come directly from this machine (decisions/023), or null if it does. A
 * direct request arrives over loopback, for a name of this machine, without a proxy, and not from a page of another site. Only a direct
 * request may use features that need no secret.
 *
 * A reverse proxy on this machine that adds no headers is detected by HTTP/1.0, nginx's default, or by a public URL with `https:`, because
 * the server itself speaks only HTTP.
 */
export function createDirectCheck(
  urls: { localUrl: string; publicUrl: string },
  isFromProxy: DirectCheck = () => false,
): WhyIndirect {
  if (urls.publicUrl.startsWith('https:')) return () => 'TOPUP_PUBLIC_URL is https, so a proxy is in front';
  const ownName = new URL(urls.localUrl).hostname;
  /** Last name that was this machine's; most requests to a server have the same host. */
  let lastOwn = ownName;
  function isOwnName(name: string): boolean {
    if (name === lastOwn) return true;
    const isOwn = isLocalName(name) || name.toLowerCase() === ownName;
    if (isOwn) lastOwn = name;
    return isOwn;
  }
  return (request) => {
    if (!loopbackAddress.test(request.socket.remoteAddress ?? '')) return 'it came from another machine';
    if (request.httpVersionMinor !== 1 || isFromProxy(request)) return throughProxy;
    const forOthers = whyForOthers(request, isOwnName);
    if (forOthers !== null) return forOthers;
    return isFromForeignPage(request, isOwnName) ? 'a page of another origin sent it' : null;
  };
}

/** Tells whether requests are direct, and calls `note` with the reason for each indirect request. */
export const createDirectness =
  (whyIndirect: WhyIndirect, note: (request: Request, reason: string) => void): DirectCheck =>
  (request) => {
    const reason = whyIndirect(request);
    if (reason !== null) note(request, reason);
    return reason === null;
  };
