import { isIP, isIPv6 } from 'node:net';
import { isLocalName } from '@topup-kit/core/http';
import type { Context, Hono } from 'hono';
import { ControlError } from './simulator.ts';

/** Writes a host in the form of a `Host` header. */
const bracketed = (host: string): string => (isIPv6(host) ? `[${host}]` : host);

/**
 * Creates a check of host names that protects against DNS rebinding: an attacker can point host names at any address, so that a browser
 * treats the attacker's page and the simulators as one site. If the simulators listen only on this machine, only its own names are allowed.
 * Otherwise, addresses and private names, such as container names, are allowed, too.
 */
export function createNameCheck(listensOn: string): (name: string) => boolean {
  const own = bracketed(listensOn).toLowerCase();
  if (isLocalName(own)) return isLocalName;
  return (name) =>
    isLocalName(name) ||
    name.toLowerCase() === own ||
    isIP(name.replace(/^\[(.*)\]$/, '$1')) > 0 ||
    /^([\w-]+|.+\.(internal|localhost))$/i.test(name);
}

/** Paths of pages and pictures, which other sites may link to and show. */
const isPage = (path: string): boolean => /^\/($|pay\/|qr\/)/.test(path);

/** Tells whether a browser only displays the response, as the page behind a link or as a picture. */
const isShown = ({ req }: Context): boolean =>
  req.method === 'GET' &&
  isPage(req.path) &&
  ['document', 'image'].includes(req.header('Sec-Fetch-Dest') ?? '');

/** Tells whether a page of another site sent a request. Only browsers send these headers; they omit `Sec-Fetch-Site` over plain HTTP. */
function isFromAnotherSite(context: Context, host: string): boolean {
  const { req } = context;
  const origin = req.header('Origin');
  if (origin !== undefined && URL.parse(origin)?.host !== host) return true;
  const site = req.header('Sec-Fetch-Site') ?? 'none';
  return site !== 'same-origin' && site !== 'none' && !isShown(context);
}

/**
 * Rejects requests from pages of other sites on every route: the simulators hold no real money, but they obey requests and send callbacks
 * into their host's network.
 *
 * @param listensOn the host that the simulators listen on
 */
export function guardRequests(router: Hono, listensOn: string): void {
  const isOwnName = createNameCheck(listensOn);
  router.use(async (context, next) => {
    const host = context.req.header('Host') ?? '';
    const name = host.replace(/:\d+$/, '');
    if (!isOwnName(name))
      throw new ControlError(
        403,
        `"${name}" is not a name of the simulators; use the address that they printed.`,
      );
    if (isFromAnotherSite(context, host.toLowerCase()))
      throw new ControlError(403, 'A page of another site may not do this.');
    await next();
  });
}

/** Tells whether callbacks may be sent to the address in a request. It must be on this machine or on the configured host. */
export function mayCallBack(url: string, given: string | undefined): boolean {
  const target = URL.parse(url);
  if (!target || !/^https?:$/.test(target.protocol)) return false;
  return isLocalName(target.hostname) || (given !== undefined && URL.parse(given)?.origin === target.origin);
}
