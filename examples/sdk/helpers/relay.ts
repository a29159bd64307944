import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Relay extends AsyncDisposable {
  /** Where clients reach the server of the moment. */
  baseUrl: string;
  /** The port that connections go to from now on. */
  upstream: number;
  /** Called instead of handing out the next answer to an order; the connection is then cut. */
  onOrderAnswered: (() => Promise<unknown>) | undefined;
}

/** A relay on loopback that can lose the answer to an order. */
export async function startRelay(upstream: number): Promise<Relay> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    let ordering = false;
    const service = connect(relay.upstream, '127.0.0.1');
    for (const socket of [client, service]) {
      open.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket);
          client.destroy();
          service.destroy();
        });
    }
    client.on('data', (bytes) => {
      ordering = bytes.includes('POST /api/order ');
      service.write(bytes);
    });
    service.on('data', (bytes) => {
      const lose = ordering ? relay.onOrderAnswered : undefined;
      if (!lose) return void client.write(bytes);
      relay.onOrderAnswered = undefined;
      void lose().then(() => client.destroy());
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // safe: a server that listens on a port has such an address
  const { port } = server.address() as AddressInfo;
  const relay: Relay = {
    baseUrl: `http://127.0.0.1:${port}/api`,
    upstream,
    onOrderAnswered: undefined,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await once(server.close(), 'close');
    },
  };
  return relay;
}
