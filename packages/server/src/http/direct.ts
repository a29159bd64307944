import type { IncomingMessage } from 'node:http';
import { sandboxKey } from '@topup-kit/core/engine';

/** What is looked at of a request. */
type Request = Pick<IncomingMessage, 'headers' | 'httpVersionMinor' | 'rawHeaders' | 'socket'>;

export type DirectCheck = (request: Request) => boolean;

const loopbackAddress = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

const localNames = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i;

/** Whether a URL's host name is one of this machine for itself. */
export const isLocalName = (hostname: string): boolean => localNames.test(hostname);

/** The host of a `Host` header or an origin, without its port. */
const withoutPort = (host: string): string => host.replace(/:\d+$/, '');

/** Headers that proxies and tunnels add: the request was sent by somebody else. */
const proxyHeader =
  /^(forwarded|via|x-forwarded($|-)|x-real-ip$|x-client-ip$|true-client-ip$|cf-connecting-ip$|fly-client-ip$)/i;

/** Whether the headers name one of this machine's hosts and no proxy. Not by `headers`: the listener replaces their host. */
function isForOwnHost({ rawHeaders }: Request, isOwnName: (name: string) => boolean): boolean {
  let own = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (proxyHeader.test(name)) return false;
    if (name.length === 4 && name.toLowerCase() === 'host')
      own = isOwnName(withoutPort(rawHeaders[index + 1] ?? ''));
  }
  return own;
}

/** Whether a page of another machine, or of another site, sent a request. A link that was followed has no origin. */
function isFromForeignPage({ headers }: Request, isOwnName: (name: string) => boolean): boolean {
  const { origin } = headers;
  if (origin !== undefined) {
    const [, host] = /^https?:\/\/(.+)$/.exec(origin) ?? [];
    if (host === undefined || !isOwnName(withoutPort(host))) return true;
  }
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  return !(headers['sec-fetch-mode'] === 'navigate' && origin === undefined);
}

/**
 * Returns a function that says whether a request comes directly from this machine (decisions/023): over loopback, to a name
 * of this machine, through no proxy, and from no page of another site. Only such a request may use what needs no secret.
 *
 * A reverse proxy on this machine that adds no header shows itself by HTTP/1.0, as nginx does by default, or by a public URL
 * with `https:`, because the server itself speaks only HTTP.
 */
export function createDirectCheck(
  urls: { localUrl: string; publicUrl: string },
  isFromProxy: DirectCheck = () => false,
): DirectCheck {
  if (urls.publicUrl.startsWith('https:')) return () => false;
  const ownName = new URL(urls.localUrl).hostname;
  const isOwnName = (name: string): boolean => isLocalName(name) || name.toLowerCase() === ownName;
  return (request) =>
    loopbackAddress.test(request.socket.remoteAddress ?? '') &&
    request.httpVersionMinor === 1 &&
    !isFromProxy(request) &&
    isForOwnHost(request, isOwnName) &&
    !isFromForeignPage(request, isOwnName);
}

/**
 * Calls `warn` once when the well-known key comes in a request that is not direct, because its 401 can't say why. Returns
 * the same check.
 */
export function explainOnce(isDirect: DirectCheck, warn: (message: string) => void): DirectCheck {
  let explained = false;
  return (request) => {
    const direct = isDirect(request);
    if (!direct && !explained && request.headers['x-api-key'] === sandboxKey) {
      explained = true;
      warn(
        'the well-known sandbox key was rejected, because its request came from another machine or through a proxy (docs/sandbox.md, direct requests); set TOPUP_API_KEY to a key of your own and send that',
      );
    }
    return direct;
  };
}
