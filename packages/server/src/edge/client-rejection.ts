import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientName } from '@topup-kit/core/http';

/** How long a client is turned away, in milliseconds. */
const awayMs = 10_000;

/** Turns clients away. */
export interface TurnedAway {
  /** Ends all connections of the client that has this one, and for ten seconds each new one. */
  turnAway(socket: Socket): void;
}

/**
 * Node's parser goes on to the end of what it has read, whatever became of the connection. A thousand requests in one packet cost
 * tens of milliseconds, so a client that sends such packets on new connections all the time would take all there is.
 */
export function createTurnedAway(server: Server): TurnedAway {
  const open = new Set<Socket>();
  /** When the time of each client ends that is turned away. Sorted, because it is equally long for all. */
  const away = new Map<string, number>();

  function isAway(client: string): boolean {
    const now = performance.now();
    for (const [name, until] of away) {
      if (until > now) break;
      away.delete(name);
    }
    return away.has(client);
  }

  // Before Node's own listener, which reads from it.
  server.prependListener('connection', (socket: Socket) => {
    if (away.size > 0 && isAway(clientName(socket.remoteAddress))) return void socket.destroy();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });

  return {
    turnAway(socket) {
      const client = clientName(socket.remoteAddress);
      if (isAway(client)) return;
      away.set(client, performance.now() + awayMs);
      for (const other of open) if (clientName(other.remoteAddress) === client) other.destroy();
    },
  };
}
