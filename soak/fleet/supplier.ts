import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BookkeepingSupplier extends AsyncDisposable {
  url: string;
  /** Number of submissions by reference. */
  books: ReadonlyMap<string, number>;
}

/** Starts a supplier that outlives its servers, so it knows their purchases. It reports every second outcome only on request. */
export async function startSupplier(): Promise<BookkeepingSupplier> {
  const books = new Map<string, number>();
  const host = createServer((request, response) => {
    const reference = (request.url ?? '').slice(1);
    const bought = books.get(reference) ?? 0;
    if (request.method === 'POST') {
      books.set(reference, bought + 1);
      response.statusCode = books.size % 2 ? 200 : 202;
    } else if (bought === 0) response.statusCode = 404;
    response.end(`SN-${reference}`);
  });
  await once(host.listen(0, '127.0.0.1'), 'listening');
  // Safe: it listens on a port, not on a pipe.
  const { port } = host.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    books,
    async [Symbol.asyncDispose]() {
      host.closeAllConnections();
      await once(host.close(), 'close');
    },
  };
}
