import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Relay extends AsyncDisposable {
  /** Address that clients use; it stays the same if the server behind it changes. */
  baseUrl: string;
  /** Port of the server for new connections. */
  upstream: number;
  /** Called instead of passing on the next response to an order. The connection is then closed. */
  onOrderResponse: (() => Promise<unknown>) | undefined;
}

/** Starts a relay on loopback that can lose the response to an order. */
export async function startRelay(upstream: number): Promise<Relay> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    let isOrder = false;
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
      isOrder = bytes.includes('POST /api/order ');
      service.write(bytes);
    });
    service.on('data', (bytes) => {
      const lose = isOrder ? relay.onOrderResponse : undefined;
      if (!lose) return void client.write(bytes);
      relay.onOrderResponse = undefined;
      void lose().then(() => client.destroy());
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // Safe: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const relay: Relay = {
    baseUrl: `http://127.0.0.1:${port}/api`,
    upstream,
    onOrderResponse: undefined,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await once(server.close(), 'close');
    },
  };
  return relay;
}
