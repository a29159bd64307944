import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises';
import { endRequests, pendingResponse } from './connections.ts';
import type { Listeners } from './listen.ts';

/** Maximum time that a closed connection may be silent before it is cut, and interval of this check, in milliseconds. */
const silenceMs = 1_000;

/** Default maximum number of checks, so that a client that keeps sending is also cut. */
const defaultChecks = 10;

const closingSockets = new WeakSet<Socket>();

export const isClosing = (socket: Socket): boolean => closingSockets.has(socket);

/**
 * Closes a connection after its client has received everything. Destroying a connection with unread data resets it, and the client may lose
 * the response. So this closes only the server's direction, and discards incoming data until the client closes the other.
 */
export function closeGently(socket: Socket, maxChecks = defaultChecks): void {
  if (closingSockets.has(socket)) return;
  closingSockets.add(socket);
  endRequests(socket);
  socket.end();
  socket.resume();
  let bytesBefore = socket.bytesRead;
  let checks = 0;
  const check = setInterval(() => {
    checks += 1;
    if (socket.bytesRead === bytesBefore || checks === maxChecks) socket.destroy();
    bytesBefore = socket.bytesRead;
  }, silenceMs);
  socket.once('close', () => clearInterval(check));
}

/**
 * Time after which requests in progress are cut, in milliseconds. Closing the store takes time, too, and everything together must take at
 * most 5 s.
 */
const timeoutMs = 4_500;

/** Time in which an idle connection may still deliver a request that was in flight, in milliseconds. */
const graceMs = 150;

/** Maximum time that a client may leave its response unread, in milliseconds. */
const unreadMs = 1_000;

/** Interval for closing connections that became idle later, in milliseconds. */
const idleCheckMs = 50;

/** Time without new connections before the port is closed, in milliseconds. Tests shorten it: they know their clients. */
export const quiet = { ms: 100 };

/** Maximum wait for that time, in milliseconds. */
const maxQuietWaitMs = 1_500;

/** Maximum length of a turn of the event loop in which no client is connecting, in milliseconds. */
const shortTurnMs = 1;

/**
 * Waits until no client is connecting, so that the port can be closed: the system resets connections that clients have opened and the
 * server has not accepted. `connectedAt` returns the time when the last client connected.
 */
async function nobodyConnects(connectedAt: () => number): Promise<void> {
  const begun = performance.now();
  for (let now = begun; now < begun + maxQuietWaitMs; ) {
    await wait(Math.max(1, connectedAt() + quiet.ms - now));
    const before = performance.now();
    // Continues after all waiting clients were accepted.
    await immediate();
    now = performance.now();
    if (now > connectedAt() + quiet.ms && now < before + shortTurnMs) break;
  }
}

/**
 * Creates a function that closes a server gracefully: it accepts no new connections, responds to requests in progress or in flight, and
 * then closes the connections without a reset. Call this before the server listens. `pause` holds new requests back, and returns a
 * function that releases them. `cutUnread` cuts clients that leave their response unread for a time.
 */
export function createCloser(
  server: Server,
  listeners: Listeners,
  { pause, cutUnread }: { pause: () => () => void; cutUnread: (ms: number) => void },
): () => Promise<void> {
  const sockets = new Set<Socket>();
  let connectedAt = Number.NEGATIVE_INFINITY;
  server.on('connection', (socket: Socket) => {
    connectedAt = performance.now();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // Node calls this after a response with `Connection: close`.
    socket.destroySoon = () => closeGently(socket);
  });
  /** Bytes read from each connection before the closing started. */
  const readBefore = new WeakMap<Socket, number>();
  // If an open connection has sent more bytes, it is sending a request, because every response closes its connection.
  const isIdle = (socket: Socket): boolean =>
    !pendingResponse(socket) && socket.bytesRead === (readBefore.get(socket) ?? 0);
  const closeIdle = (): void => {
    // Runs after the requests that arrived in the meantime were read.
    setImmediate(() => {
      for (const socket of sockets) if (isIdle(socket)) closeGently(socket);
      cutUnread(unreadMs);
    });
  };

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    for (const socket of sockets) {
      readBefore.set(socket, socket.bytesRead);
      const response = pendingResponse(socket);
      if (response && !response.headersSent) response.setHeader('Connection', 'close');
    }
    // A client that gets a response would reconnect immediately, so new requests wait.
    const resume = pause();
    const cut = setTimeout(() => server.closeAllConnections(), timeoutMs);
    await nobodyConnects(() => connectedAt);
    const closed = listeners.close();
    resume();
    let check: NodeJS.Timeout | undefined;
    const grace = setTimeout(() => {
      closeIdle();
      check = setInterval(closeIdle, idleCheckMs);
    }, graceMs);
    await closed;
    // Stops Node's check for slow clients.
    server.close(() => undefined);
    clearTimeout(grace);
    clearInterval(check);
    clearTimeout(cut);
  };
  return () => (closing ??= close());
}
