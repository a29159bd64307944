import { promises as dns, type LookupAddress } from 'node:dns';
import { type ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions as HttpsOptions } from 'node:https';
import { BlockList, connect, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

/** IPv4 addresses that are not public or don't belong to one machine (IANA's registry of special addresses). */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * All of IPv6 except 2000::/3, which is the range assigned to networks: loopback, private, link-local and multicast addresses, and mapped
 * IPv4 addresses (::ffff:0:0/96, 64:ff9b::/96). It also contains the special ranges within 2000::/3: Teredo and others, documentation,
 * 6to4.
 */
const special6 = ['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

// These are two lists, because ::/3 in a common list would contain every IPv4 address.
const lists = { 4: listOf(special4, 'ipv4'), 6: listOf(special6, 'ipv6') };

/**
 * Tells whether an IP address belongs to a machine on the internet, and not to this machine, its network or its cloud. Accepts any
 * notation. Invalid addresses are not public.
 *
 * @example
 * isPublicAddress('169.254.169.254'); // false
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !lists[4].check(address, 'ipv4');
    case 6:
      return !lists[6].check(address.replace(/%.*$/, ''), 'ipv6');
    default:
      return false;
  }
}

/** Finds the addresses of a name. Rejects or resolves with an empty list if there are none. */
export type ResolveHost = (name: string) => Promise<readonly LookupAddress[]>;

/**
 * Uses the system's resolver with its hosts file. The process runs at most four such lookups at a time, so a hanging name server would also
 * delay the lookups of the gateway.
 */
export const resolveBySystem: ResolveHost = (name) => dns.lookup(name, { all: true });

/** Timeout per name server, in milliseconds. */
const resolveTimeoutMs = 2_000;

/**
 * Creates a resolver that uses only DNS, where names of this machine and its network have no meaning. The number of
 * simultaneous lookups is unlimited. `servers` replaces the system's name servers.
 */
export function createDnsLookup(servers?: readonly string[]): ResolveHost {
  const resolver = new dns.Resolver({ timeout: resolveTimeoutMs, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (name) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses: LookupAddress[] = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
    return addresses;
  };
}

/** Maximum length of a URL, in characters. */
const longestUrl = 2_048;

/** Names that by definition belong to this machine or its network, so they need no lookup. */
const localName = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i;

/** Returns the host of a URL as an IP address or a name, without the brackets of IPv6. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

const isLocal = (host: string): boolean => (isIP(host) === 0 ? localName.test(host) : !isPublicAddress(host));

/**
 * Returns the reason why a URL can't receive events, in a sentence without the URL. Returns undefined if the URL is acceptable; its name is
 * not looked up. In live mode a URL must use https and be on the internet. A sandbox also allows http and this machine.
 *
 * @example
 * checkEndpointUrl('http://127.0.0.1:3000/hooks', 'live'); // 'In live mode, the URL must begin with https://.'
 */
export function checkEndpointUrl(text: string, mode: 'live' | 'sandbox'): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(text))
    return 'The URL must be complete, such as https://shop.example/hooks.';
  if (text.length > longestUrl) return `The URL must have at most ${longestUrl} characters.`;
  if (url.username !== '' || url.password !== '')
    return 'The URL must not have a user name or password. Receivers identify the sender by the signature.';
  if (url.hash !== '') return 'The URL must not have a fragment (#...), because it would not be sent.';
  if (mode === 'sandbox') return undefined;
  if (url.protocol !== 'https:') return 'In live mode, the URL must begin with https://.';
  if (isLocal(hostOf(url)))
    return 'In live mode, the URL must be on the internet, not on this machine or in a private network.';
  return undefined;
}

/** Reason why an event could not be sent. The message is one line for an operator, without secrets or parts of a path. */
export class WebhookSendError extends Error {
  override readonly name = 'WebhookSendError';
}

/** The rules for connections. */
export interface ConnectionGuard {
  resolve: ResolveHost;
  /** Tells whether events may be sent to an IP address. */
  isAllowed(address: string): boolean;
  /** Connection timeout in milliseconds. */
  timeoutMs: number;
  /** Certificates of trusted authorities, which replace Node's. */
  ca?: string;
}

/** Maximum time that an idle connection is kept, in milliseconds: less than the five seconds of most servers. */
const idleMs = 4_000;

/** Maximum number of idle connections to all endpoints. */
const maxIdle = 64;

const notPublic = (host: string): WebhookSendError =>
  new WebhookSendError(`${host} has no public IP address, so nothing was sent.`);

function lookupError(host: string, error: unknown): WebhookSendError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  const isMissing = code === 'ENOTFOUND' || code === 'ENODATA';
  const what = isMissing ? 'was not found' : `could not be resolved (${code})`;
  return new WebhookSendError(`The name ${host} ${what}.`, { cause: error });
}

async function findAllowed(host: string, { resolve, isAllowed }: ConnectionGuard) {
  const addresses = await resolve(host).catch((error: unknown) => {
    throw lookupError(host, error);
  });
  const allowed = addresses.filter(({ address }) => isAllowed(address));
  const [first] = allowed;
  if (first === undefined) throw notPublic(host);
  return { allowed, first };
}

/** Connects only to the checked addresses, without a second lookup. */
const guardedLookup =
  (guard: ConnectionGuard): LookupFunction =>
  (host, { all }, callback) => {
    findAllowed(host, guard).then(
      ({ allowed, first }) =>
        all ? callback(null, [...allowed]) : callback(null, first.address, first.family),
      (error: WebhookSendError) => callback(error, []),
    );
  };

/** Receives the connection for an agent, or an error. */
type Connected = (error: Error | null, socket: Duplex) => void;

/** Passes an error without a connection, which Node accepts although its types don't allow it. */
const failed = (callback: Connected, error: Error): void => (callback as (error: Error) => void)(error);

/** Connects, and calls back before the first byte is sent. It passes an error if the address is not allowed. */
function connectGuarded(
  { host, port }: { host: string; port: number },
  guard: ConnectionGuard,
  callback: (result: Error | Socket) => void,
): void {
  if (isIP(host) !== 0 && !guard.isAllowed(host)) {
    callback(notPublic(host));
    return;
  }
  const socket = connect({ host, port, lookup: guardedLookup(guard) });
  // Destroys the socket itself, because the request may have ended already.
  socket.setTimeout(guard.timeoutMs, () => socket.destroy(new WebhookSendError(`${host} can't be reached.`)));
  socket.once('error', callback);
  socket.once('connect', () => {
    // From now on, the request handles errors itself.
    socket.removeListener('error', callback).on('error', () => undefined);
    socket.setTimeout(0).removeAllListeners('timeout');
    if (guard.isAllowed(socket.remoteAddress ?? '')) return callback(socket);
    socket.destroy();
    return callback(notPublic(host));
  });
}

/** Creates the connections of an agent. `secure` adds TLS. */
const connectionsOf =
  <Options extends ClientRequestArgs>(
    guard: ConnectionGuard,
    secure: (socket: Socket, options: Options) => Duplex,
  ) =>
  (options: Options, callback: Connected = () => undefined): null => {
    connectGuarded({ host: options.host ?? '', port: Number(options.port) }, guard, (result) =>
      result instanceof Error ? failed(callback, result) : callback(null, secure(result, options)),
    );
    return null;
  };

const idleOf = ({ freeSockets }: HttpAgent): number =>
  Object.values(freeSockets).reduce((count, sockets) => count + (sockets?.length ?? 0), 0);

/** Agents that connect to endpoints and keep some connections for the next event. */
export interface GuardedAgents {
  http: HttpAgent;
  https: HttpsAgent;
  close(): void;
}

export function createGuardedAgents(guard: ConnectionGuard): GuardedAgents {
  // The sender limits the number of requests; a limit here would make endpoints wait for each other.
  const http = new HttpAgent({ keepAlive: true, timeout: idleMs });
  const https = new HttpsAgent({ keepAlive: true, timeout: idleMs });
  const { ca } = guard;
  http.createConnection = connectionsOf(guard, (socket) => socket);
  https.createConnection = connectionsOf<HttpsOptions>(guard, (socket, { host, servername }) =>
    connectTls({
      socket,
      host: host ?? '',
      ...(servername && { servername }),
      ...(ca !== undefined && { ca }),
      ALPNProtocols: ['http/1.1'],
      // Ignores the environment variable that turns this check off.
      rejectUnauthorized: true,
    }),
  );
  const agents = [http, https];
  for (const agent of agents) {
    const keepSocket = agent.keepSocketAlive.bind(agent);
    agent.keepSocketAlive = (socket) =>
      agents.reduce((count, agent) => count + idleOf(agent), 0) < maxIdle && keepSocket(socket);
  }
  return {
    http,
    https,
    close() {
      for (const agent of agents) agent.destroy();
    },
  };
}
