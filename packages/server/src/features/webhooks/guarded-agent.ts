import { promises as dns, type LookupAddress } from 'node:dns';
import { type ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions as HttpsOptions } from 'node:https';
import { BlockList, connect, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

/** IPv4 addresses that are not public, or not of one machine (IANA's registry of special addresses). */
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
 * All of IPv6 but what is assigned to networks, 2000::/3: so loopback, private and link-local addresses, multicast, and
 * the forms in which an IPv4 address is written (::ffff:0:0/96, 64:ff9b::/96). Of 2000::/3 what is special there: Teredo
 * and others, documentation, 6to4.
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

// One list for each: in a list for both, ::/3 has every IPv4 address in it.
const lists = { 4: listOf(special4, 'ipv4'), 6: listOf(special6, 'ipv6') };

/**
 * Returns whether an IP address is that of a machine on the internet: not this machine, its network or its cloud, and no
 * other form of such an address. What is no address is not public.
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

/** Finds the addresses of a name; rejects or finds none when it has none. */
export type ResolveHost = (name: string) => Promise<readonly LookupAddress[]>;

/**
 * As the system does it, with its file of hosts. At most four such lookups run at a time in the whole process, so that a
 * name server that hangs would hold up the lookups of the gateway.
 */
export const resolveBySystem: ResolveHost = (name) => dns.lookup(name, { all: true });

/** For each name server, in milliseconds. */
const resolveTimeoutMs = 2_000;

/**
 * Creates what looks names up by DNS alone, where names of this machine and its network mean nothing; any number of
 * lookups at a time. `servers` are name servers instead of the system's.
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

/** In characters. */
const longestUrl = 2_048;

/** Names that mean this machine or its own network by definition, so that no lookup is needed to know it. */
const localName = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i;

/** The host of a URL as an IP address or a name; the brackets of IPv6 are only a form of the URL. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

const isLocal = (host: string): boolean => (isIP(host) === 0 ? localName.test(host) : !isPublicAddress(host));

/**
 * Says why events can't be sent to a URL, in a sentence that doesn't repeat it; undefined when they can, as far as can be
 * said before its name is looked up. In live mode a URL is https and leads to the internet; in a sandbox also http and
 * this machine.
 *
 * @example
 * checkEndpointUrl('http://127.0.0.1:3000/hooks', 'live'); // 'In live mode the URL must begin with https://.'
 */
export function checkEndpointUrl(text: string, mode: 'live' | 'sandbox'): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(text))
    return 'The URL must be a whole one, such as https://shop.example/hooks.';
  if (text.length > longestUrl) return `The URL must have at most ${longestUrl} characters.`;
  if (url.username !== '' || url.password !== '')
    return 'The URL must have no user name and no password: events are signed, so that the receiver knows the sender.';
  if (url.hash !== '') return 'The URL must have no fragment (#...): it would not be sent.';
  if (mode === 'sandbox') return undefined;
  if (url.protocol !== 'https:') return 'In live mode the URL must begin with https://.';
  if (isLocal(hostOf(url)))
    return 'In live mode the URL must lead to the internet, not to this machine or a private network.';
  return undefined;
}

/** Why an event could not be sent: its message is one line for an operator, with no secret and no part of a path. */
export class WebhookSendError extends Error {
  override readonly name = 'WebhookSendError';
}

/** What decides with whom a connection is made. */
export interface ConnectionGuard {
  resolve: ResolveHost;
  /** Whether anything may be sent to an IP address. */
  isAllowed(address: string): boolean;
  /** How long a connection may take to be made, in milliseconds. */
  timeoutMs: number;
  /** Certificates of authorities that are trusted instead of those that Node knows. */
  ca?: string;
}

/** How long a connection is kept for the next event, in milliseconds: less than the five seconds of most servers. */
const idleMs = 4_000;

/** How many such connections there are at most, to all endpoints. */
const maxIdle = 64;

const notPublic = (host: string): WebhookSendError =>
  new WebhookSendError(`${host} has no public address, so nothing was sent.`);

function lookupError(host: string, error: unknown): WebhookSendError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  const isMissing = code === 'ENOTFOUND' || code === 'ENODATA';
  const what = isMissing ? 'was not found' : `could not be looked up (${code})`;
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

/** Only the addresses that were checked are connected to: nobody asks for the name a second time. */
const guardedLookup =
  (guard: ConnectionGuard): LookupFunction =>
  (host, { all }, callback) => {
    findAllowed(host, guard).then(
      ({ allowed, first }) =>
        all ? callback(null, [...allowed]) : callback(null, first.address, first.family),
      (error: WebhookSendError) => callback(error, []),
    );
  };

/** Takes the connection that an agent asked for, or why there is none. */
type Connected = (error: Error | null, socket: Duplex) => void;

/** Node takes an error without a connection; its types don't say so. */
const failed = (callback: Connected, error: Error): void => (callback as (error: Error) => void)(error);

/** Connects, and calls back before a byte is sent: with an error if the other end is not allowed. */
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
  // The request that wanted it may be gone already.
  socket.setTimeout(guard.timeoutMs, () => socket.destroy(new WebhookSendError(`${host} can't be reached.`)));
  socket.once('error', callback);
  socket.once('connect', () => {
    // What goes wrong from now on, the request notices by itself.
    socket.removeListener('error', callback).on('error', () => undefined);
    socket.setTimeout(0).removeAllListeners('timeout');
    if (guard.isAllowed(socket.remoteAddress ?? '')) return callback(socket);
    socket.destroy();
    return callback(notPublic(host));
  });
}

/** Creates the connections of an agent; `secure` makes one ready to send. */
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

/** What makes connections to endpoints, and keeps some of them for the next event. */
export interface GuardedAgents {
  http: HttpAgent;
  https: HttpsAgent;
  close(): void;
}

export function createGuardedAgents(guard: ConnectionGuard): GuardedAgents {
  // How many requests there are at a time is for the sender of events to say: here one endpoint would wait for another.
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
      // Whatever the environment says.
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
