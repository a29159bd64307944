import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, isIPv6, Server as TcpServer } from 'node:net';
import { variables } from '../config/config.ts';
import { ConfigError, type Variable } from '../config/variable.ts';

/** The name of a setting as an operator may have given it. */
const named = ({ name, flag }: NamedSetting): string => `${name} (or ${flag})`;
type NamedSetting = Pick<Variable<number>, 'name' | 'flag'>;

const reasons: ReadonlyMap<unknown, (setting: NamedSetting) => string> = new Map([
  [
    'EADDRINUSE',
    (setting) => `is already taken by another program; stop it, or set ${named(setting)} to a free port`,
  ],
  ['EACCES', (setting) => `may not be opened by this user; set ${named(setting)} to a port above 1023`],
]);

/** The system has many codes for an address that is wrong, and for a name that is none. */
const wrongAddress = 'is not an address of this machine; set HOST (or --host)';

/** Addresses that stand for all network interfaces; the server's URL then uses 127.0.0.1. */
const allInterfaces = new Set(['0.0.0.0', '::']);

/** The URL of a server that listens there, from this machine. */
export function urlOf(host: string, port: number): string {
  const reachable = allInterfaces.has(host) ? '127.0.0.1' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}

/**
 * How many connections may wait to be accepted at each listener. The system drops further ones without a word, and their clients
 * try again seconds later. It may allow fewer (Linux: `net.core.somaxconn`, 4,096).
 */
const backlog = 4_096;

/**
 * Node accepts one connection of a listener in each turn of the event loop, however many wait. Several listeners on one port
 * accept as many at once; the system shares the clients out among them. Not everywhere: where it can't, there is one.
 */
const listenersOfPort = 64;
const canShare = process.platform === 'linux';

/** What a listener listens on: an address, or a socket that was inherited, by its file descriptor. */
type Place = { host: string; port: number; reusePort: boolean } | { fd: number };

/** @returns its URL on this machine, and its port. */
async function start(listener: TcpServer, place: Place): Promise<{ url: string; port: number }> {
  listener.listen({ ...place, backlog });
  await once(listener, 'listening');
  // Safe: no server listens on a pipe.
  const { address, port } = listener.address() as AddressInfo;
  return { url: urlOf('host' in place ? place.host : address, port), port };
}

const endOf = (listener: TcpServer): Promise<unknown> => once(listener, 'close');

/** Fails when another program has the port. Listeners that share their port would not notice one that does so, too. */
async function rejectTaken(host: string, port: number): Promise<void> {
  const probe = createTcpServer();
  await start(probe, { host, port, reusePort: false });
  const ended = endOf(probe);
  probe.close();
  await ended;
}

export interface Listeners {
  /**
   * Opens a port, which a setting chose: `PORT` by default.
   *
   * @returns its URL on this machine.
   * @throws ConfigError when the port is taken or the address is not of this machine.
   */
  open(host: string, port: number, setting?: NamedSetting): Promise<string>;
  /**
   * Listens on sockets that somebody else opened and keeps open, by their file descriptors.
   *
   * @returns the URL of the first on this machine.
   * @throws ConfigError when one is no socket that listens.
   */
  inherit(sockets: readonly number[]): Promise<string>;
  /** Accepts no more connections. Resolves when those that there are have ended. */
  close(): Promise<void>;
}

export function createListeners(server: Server): Listeners {
  const others: TcpServer[] = [];

  async function addListener(place: Place): Promise<void> {
    // As Node's HTTP server does for its own connections.
    const other = createTcpServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.emit('connection', socket),
    );
    await start(other, place);
    others.push(other);
  }

  return {
    async open(host, port, setting = variables.port) {
      try {
        // The system gives no port that somebody has.
        if (canShare && port !== 0) await rejectTaken(host, port);
        const opened = await start(server, { host, port, reusePort: canShare });
        // An older Node doesn't share: the port is then taken, and one listener has to do.
        if (canShare)
          await Promise.allSettled(
            Array.from({ length: listenersOfPort - 1 }, () =>
              addListener({ host, port: opened.port, reusePort: true }),
            ),
          );
        return opened.url;
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined;
        const reason = reasons.get(code)?.(setting) ?? `${wrongAddress} (${code})`;
        throw new ConfigError(`${host}:${port} ${reason}.`, { cause: error });
      }
    },
    async inherit([first = -1, ...more]) {
      try {
        const { url } = await start(server, { fd: first });
        for (const fd of more) await addListener({ fd });
        return url;
      } catch (error) {
        throw new ConfigError(
          'LISTEN_FDS counts what is no socket that listens: in a unit of systemd, give ListenStream= an address and a port.',
          { cause: error },
        );
      }
    },
    async close() {
      const listeners = [server, ...others];
      const ended = listeners.map(endOf);
      // Not the method of the HTTP server: that destroys idle connections at once.
      for (const listener of listeners) TcpServer.prototype.close.call(listener);
      await Promise.all(ended);
    },
  };
}

/** Requests that wait while the server starts, and while it closes its port. */
interface HeldRequests extends Disposable {
  /** Handles a request, now or later; another one after each change. */
  readonly serve: RequestListener;
  /** Handles the requests that are waiting, and from now on every request at once. */
  release(listener: RequestListener): void;
  /** Lets new requests wait again; returns a function that handles them after all. */
  pause(): () => void;
}

/** Lets requests wait until the server can handle them; disposing before then breaks their connections. */
export function holdRequests(): HeldRequests {
  const waiting: [IncomingMessage, ServerResponse & { req: IncomingMessage }][] = [];
  const hold: RequestListener = (request, response) => void waiting.push([request, response]);
  const held = {
    serve: hold,
    release(listener: RequestListener) {
      held.serve = listener;
      for (const [request, response] of waiting.splice(0)) listener(request, response);
    },
    pause() {
      const listener = held.serve;
      held.serve = hold;
      return () => held.release(listener);
    },
    [Symbol.dispose]() {
      for (const [request] of waiting.splice(0)) request.destroy();
    },
  };
  return held;
}
