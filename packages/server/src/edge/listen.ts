import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, isIPv6, Server as TcpServer } from 'node:net';
import { settingDefinitions } from '../config/config.ts';
import { ConfigError, type Variable } from '../config/variable.ts';

/** Names a setting by its variable and its flag, because the operator may have used either. */
const named = ({ name, flag }: NamedSetting): string => `${name} (or ${flag})`;
type NamedSetting = Pick<Variable<number>, 'name' | 'flag'>;

const reasons: ReadonlyMap<unknown, (setting: NamedSetting) => string> = new Map([
  [
    'EADDRINUSE',
    (setting) => `is already taken by another program; stop it, or set ${named(setting)} to a free port`,
  ],
  ['EACCES', (setting) => `may not be opened by this user; set ${named(setting)} to a port above 1023`],
]);

/** Text of the error, because the system has many codes for a wrong address or an unknown name. */
const wrongAddress = 'is not an address of this machine; set HOST (or --host)';

/** Addresses for all network interfaces; the server's URL then uses 127.0.0.1. */
const allInterfaces = new Set(['0.0.0.0', '::']);

/** Returns the URL of a listening server on this machine. */
export function urlOf(host: string, port: number): string {
  const reachable = allInterfaces.has(host) ? '127.0.0.1' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}

/**
 * Number of connections that may wait to be accepted by each listener. The system silently drops further connections, and their clients
 * retry seconds later. It may allow fewer (Linux: `net.core.somaxconn`, 4,096).
 */
const backlog = 4_096;

/**
 * Number of listeners on one port. Node accepts one connection per listener in each turn of the event loop, so several listeners accept
 * several connections, which the system distributes. A system that can't share a port has one listener.
 */
const listenersOfPort = 64;
const canShare = process.platform === 'linux';

/** Place where a listener listens: an address, or the file descriptor of an inherited socket. */
type Place = { host: string; port: number; reusePort: boolean } | { fd: number };

/** @returns the listener's URL on this machine, and its port. */
async function start(listener: TcpServer, place: Place): Promise<{ url: string; port: number }> {
  listener.listen({ ...place, backlog });
  await once(listener, 'listening');
  // Safe: no server listens on a pipe.
  const { address, port } = listener.address() as AddressInfo;
  return { url: urlOf('host' in place ? place.host : address, port), port };
}

const endOf = (listener: TcpServer): Promise<unknown> => once(listener, 'close');

/** Fails if another program uses the port, because listeners that share a port would not notice that program. */
async function rejectTaken(host: string, port: number): Promise<void> {
  const probe = createTcpServer();
  await start(probe, { host, port, reusePort: false });
  const ended = endOf(probe);
  probe.close();
  await ended;
}

export interface Listeners {
  /**
   * Opens the port of a setting, by default of `PORT`.
   *
   * @returns the server's URL on this machine.
   * @throws ConfigError if the port is taken or the address is not on this machine.
   */
  open(host: string, port: number, setting?: NamedSetting): Promise<string>;
  /**
   * Listens on sockets that another process opened and keeps open, by their file descriptors.
   *
   * @returns the URL of the first socket on this machine.
   * @throws ConfigError if a file descriptor is not a listening socket.
   */
  inherit(sockets: readonly number[]): Promise<string>;
  /** Stops accepting connections. Resolves when the existing connections have ended. */
  close(): Promise<void>;
}

export function createListeners(server: Server): Listeners {
  const others: TcpServer[] = [];

  async function addListener(place: Place): Promise<void> {
    // Node's HTTP server sets the same options for its own connections.
    const other = createTcpServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.emit('connection', socket),
    );
    await start(other, place);
    others.push(other);
  }

  return {
    async open(host, port, setting = settingDefinitions.port) {
      try {
        // With port 0, the system chooses a free port.
        if (canShare && port !== 0) await rejectTaken(host, port);
        const opened = await start(server, { host, port, reusePort: canShare });
        // An older Node can't share ports and reports that this port is taken; one listener is enough then.
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
          'LISTEN_FDS includes a file descriptor that is not a listening socket. In the unit of systemd, give ListenStream= an address and a port.',
          { cause: error },
        );
      }
    },
    async close() {
      const listeners = [server, ...others];
      const ended = listeners.map(endOf);
      // The HTTP server's own method would destroy idle connections immediately.
      for (const listener of listeners) TcpServer.prototype.close.call(listener);
      await Promise.all(ended);
    },
  };
}

/** Requests that wait while the server starts, and while it closes its port. */
interface HeldRequests extends Disposable {
  /** Handles a request, now or later; every release or pause replaces this function. */
  readonly serve: RequestListener;
  /** Handles the waiting requests, and from now on every request immediately. */
  release(listener: RequestListener): void;
  /** Makes new requests wait again; returns a function that releases them. */
  pause(): () => void;
}

/** Holds requests until the server can handle them; disposing of this earlier breaks their connections. */
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
