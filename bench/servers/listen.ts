import type { Server } from 'node:http';
import { reportToBench } from './report-to-bench.ts';

/** Listens on a free port of loopback, and sends the address to the bench. */
export function listenForBench(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object' && address !== null) reportToBench(`http://127.0.0.1:${address.port}`);
  });
}
