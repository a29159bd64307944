import { isIP, isIPv6 } from 'node:net';
import { isLocalName } from '@topup-kit/core/http';
import type { Context, Hono } from 'hono';
import { ControlError } from './simulator.ts';

/** A host as it stands in a `Host` header. */
const bracketed = (host: string): string => (isIPv6(host) ? `[${host}]` : host);

/**
 * Whether a name leads here without a stranger's help: he may let names of his own lead to any address (DNS rebinding), so that a
 * browser takes his page and the simulators for one site. On this machine alone its own names do. Who listens for others may be reached
 * by addresses and by names that are no public ones, such as those of containers.
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

/** The paths of pages and pictures, which another site may lead to and show. */
const isPage = (path: string): boolean => /^\/($|pay\/|qr\/)/.test(path);

/** Whether a browser only shows something: a page that somebody follows a link to, or a picture. */
const isShown = ({ req }: Context): boolean =>
  req.method === 'GET' &&
  isPage(req.path) &&
  ['document', 'image'].includes(req.header('Sec-Fetch-Dest') ?? '');

/** Whether a page of another site sent a request. Only browsers send these headers; `Sec-Fetch-Site` not over plain HTTP. */
function isFromAnotherSite(context: Context, host: string): boolean {
  const { req } = context;
  const origin = req.header('Origin');
  if (origin !== undefined && URL.parse(origin)?.host !== host) return true;
  const site = req.header('Sec-Fetch-Site') ?? 'none';
  return site !== 'same-origin' && site !== 'none' && !isShown(context);
}

/**
 * Rejects what a page of another site sends, on every route: the simulators hold real money in no case, but do what requests say and
 * send callbacks into the network of who runs them.
 *
 * @param listensOn the host of the address that is listened on
 */
export function guardRequests(router: Hono, listensOn: string): void {
  const isOwnName = createNameCheck(listensOn);
  router.use(async (context, next) => {
    const host = context.req.header('Host') ?? '';
    const name = host.replace(/:\d+$/, '');
    if (!isOwnName(name))
      throw new ControlError(
        403,
        `"${name}" is no name of the simulators; use the address that they printed.`,
      );
    if (isFromAnotherSite(context, host.toLowerCase()))
      throw new ControlError(403, 'A page of another site may not do this.');
    await next();
  });
}

/**
 * Whether callbacks may go to an address that a request names: on this machine, or to the host of the address that who runs the
 * simulators gave.
 */
export function mayCallBack(url: string, given: string | undefined): boolean {
  const target = URL.parse(url);
  if (!target || !/^https?:$/.test(target.protocol)) return false;
  return isLocalName(target.hostname) || (given !== undefined && URL.parse(given)?.origin === target.origin);
}
