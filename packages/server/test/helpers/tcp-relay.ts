import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpRelay extends AsyncDisposable {
  port: number;
  /** Resets all its connections. */
  cut(): void;
  /** Keeps all its connections open, but passes nothing on, as a network does whose other end is gone. */
  freeze(): void;
  /** Passes the bytes of new connections on. */
  thaw(): void;
}

/** Passes bytes on to a port of this machine. */
export async function startTcpRelay(port: number): Promise<TcpRelay> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((client) => {
    if (isFrozen) return void sockets.add(client);
    const target = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .once('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
    }
    client.pipe(target).pipe(client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port, // Safe: it listens on a port, not on a pipe.
    cut,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    thaw: () => {
      isFrozen = false;
    },
    async [Symbol.asyncDispose]() {
      cut();
      await once(server.close(), 'close');
    },
  };
}
