import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections and servers by themselves, so that none gets one before it is used. */
let next = 10_000 + Math.floor(Math.random() * 20_000);

/** A port that is not in use, and that this process has not had before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next++;
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      return port;
    } catch {
      // Somebody listens there.
    } finally {
      server.close();
    }
  }
}
