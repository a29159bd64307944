import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientName } from '@topup-kit/core/http';

/** How long a client's connections are rejected, in milliseconds. */
const rejectedMs = 10_000;

/**
 * Node's parser goes on to the end of what it has read, whatever became of the connection. A thousand requests in one packet cost
 * tens of milliseconds, so a client that sends such packets on new connections all the time would take all there is.
 *
 * @returns a function that ends all connections of the client that has this one, and for ten seconds each new one
 */
export function createClientRejection(server: Server): (socket: Socket) => void {
  const open = new Set<Socket>();
  /** Until when each client is rejected. Sorted, because it is equally long for all. */
  const rejectedUntil = new Map<string, number>();

  function isRejected(client: string): boolean {
    const now = performance.now();
    for (const [name, until] of rejectedUntil) {
      if (until > now) break;
      rejectedUntil.delete(name);
    }
    return rejectedUntil.has(client);
  }

  // Before Node's own listener, which reads from it.
  server.prependListener('connection', (socket: Socket) => {
    if (rejectedUntil.size > 0 && isRejected(clientName(socket.remoteAddress))) return void socket.destroy();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });

  return (socket) => {
    const client = clientName(socket.remoteAddress);
    if (isRejected(client)) return;
    rejectedUntil.set(client, performance.now() + rejectedMs);
    for (const other of open) if (clientName(other.remoteAddress) === client) other.destroy();
  };
}
