import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises';
import { endRequests, pendingResponse } from './connections.ts';
import type { Listeners } from './listen.ts';

/** How long a closed connection may be silent until it is cut, and how often that is checked, in milliseconds. */
const silenceMs = 1_000;

/** Maximum number of those checks by default: a client that goes on sending is cut, too. */
const defaultChecks = 10;

const closingSockets = new WeakSet<Socket>();

export const isClosing = (socket: Socket): boolean => closingSockets.has(socket);

/**
 * Closes a connection so that its client receives all that was written. If a connection is destroyed before everything
 * that the client sent was read, the system resets it, and the client may lose the response. So only our direction is
 * closed, and what still comes is dropped until the client closes, too.
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

/** When requests in progress are cut, in milliseconds. Closing the store takes time, too, and all of it 5 s. */
const timeoutMs = 4_500;

/** How long an idle connection may still send a request that was on its way, in milliseconds. */
const graceMs = 150;

/** How long a client may leave its response unread, in milliseconds. */
const unreadMs = 1_000;

/** Interval at which connections that became idle are closed afterwards, in milliseconds. */
const idleCheckMs = 50;

/** How long no client must have connected before the port is closed, and how long to wait for that, in milliseconds. */
const quietMs = 100;
const maxQuietWaitMs = 1_500;

/** The longest turn of the event loop after which it is known that nobody is connecting, in milliseconds. */
const shortTurnMs = 1;

/**
 * Waits for a moment when nobody connects, to close the port: the system resets the connections that it has opened for clients
 * and that the server has not accepted yet.
 */
async function nobodyConnects(server: Server): Promise<void> {
  const begun = performance.now();
  let quietSince = begun;
  const connected = (): void => {
    quietSince = performance.now();
  };
  server.on('connection', connected);
  for (let now = begun; now < begun + maxQuietWaitMs; ) {
    await wait(Math.max(1, quietSince + quietMs - now));
    const before = performance.now();
    // Runs after all clients that wait were accepted.
    await immediate();
    now = performance.now();
    if (now > quietSince + quietMs && now < before + shortTurnMs) break;
  }
  server.off('connection', connected);
}

/**
 * Returns a function that closes a server gracefully: it accepts no new connections, responds to the requests that are in
 * progress or on their way, and then closes the connections without resetting any. Call this before the server listens.
 * `pause` makes new requests wait, and returns what lets them go on; `cutUnread` cuts clients that have not read their response for so long.
 */
export function createCloser(
  server: Server,
  listeners: Listeners,
  { pause, cutUnread }: { pause: () => () => void; cutUnread: (ms: number) => void },
): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // Node calls this after a response with `Connection: close`.
    socket.destroySoon = () => closeGently(socket);
  });
  /** What was read from each connection before the server began to close. */
  const readBefore = new WeakMap<Socket, number>();
  // A connection that has sent more and is still open is sending a request: each response closes its connection.
  const isIdle = (socket: Socket): boolean =>
    !pendingResponse(socket) && socket.bytesRead === (readBefore.get(socket) ?? 0);
  const closeIdle = (): void => {
    // After the requests that have arrived meanwhile were read.
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
    // Clients with a response would connect again at once. Those that wait for theirs don't.
    const resume = pause();
    const cut = setTimeout(() => server.closeAllConnections(), timeoutMs);
    await nobodyConnects(server);
    const closed = listeners.close();
    resume();
    let check: NodeJS.Timeout | undefined;
    const grace = setTimeout(() => {
      closeIdle();
      check = setInterval(closeIdle, idleCheckMs);
    }, graceMs);
    await closed;
    // Ends Node's check for slow clients.
    server.close(() => undefined);
    clearTimeout(grace);
    clearInterval(check);
    clearTimeout(cut);
  };
  return () => (closing ??= close());
}
