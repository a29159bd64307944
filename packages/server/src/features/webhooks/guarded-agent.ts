import { type ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions as HttpsOptions } from 'node:https';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { ResolveHost } from './addresses.ts';
import { WebhookSendError } from './send-error.ts';

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
      agents.reduce((count, one) => count + idleOf(one), 0) < maxIdle && keepSocket(socket);
  }
  return {
    http,
    https,
    close() {
      for (const agent of agents) agent.destroy();
    },
  };
}
