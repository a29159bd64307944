import type { IncomingMessage } from 'node:http';
import type { PlainResponse } from '@topup-kit/core/app';
import { isKeyText, sandboxKey } from '@topup-kit/core/contract';
import { isLocalName } from '@topup-kit/core/http';

/** What is looked at of a request. */
type Request = Pick<IncomingMessage, 'headers' | 'httpVersionMinor' | 'rawHeaders' | 'socket'>;

export type DirectCheck = (request: Request) => boolean;

const loopbackAddress = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

/** The host of a `Host` header or an origin, without its port. */
const withoutPort = (host: string): string => host.replace(/:\d+$/, '');

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
      own = isOwnName(withoutPort(rawHeaders[index + 1] ?? ''));
  }
  return own ? null : 'its Host is no name of this machine';
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
 * The response to a request, with a `hint` (ours) that says why a sandbox rejected its well-known key or that of a world. Everybody
 * knows or can make these keys, so the hint tells nobody what a rejected key would be.
 */
export function withHint(
  response: PlainResponse,
  request: Request,
  whyIndirect: ReturnType<typeof createDirectCheck>,
): PlainResponse {
  const key = request.headers['x-api-key'];
  if (response.status !== 401 || typeof response.body !== 'string' || typeof key !== 'string')
    return response;
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
