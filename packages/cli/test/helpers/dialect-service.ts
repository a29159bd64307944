import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Dialect, defaultFieldLimits } from '@topup-kit/core/contract';
import { createTestService } from '../../../core/test/helpers/test-service.ts';

const limits = { ...defaultFieldLimits, bodyBytes: 65_536, readsPerMinute: 0, ordersPerMinute: 0 };

/** The service in another dialect, over HTTP; `spoil` changes the response of a path. */
export async function startDialectService(
  dialect: Dialect,
  spoil: (path: string, body: string) => string = (_path, body) => body,
) {
  const asked: string[] = [];
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // Safe: it listens on a port, not on a pipe.
  const publicUrl = `http://127.0.0.1:${port}`;
  const { app } = await createTestService({ settings: { dialect, limits, publicUrl } });
  const listen: RequestListener = async (request, response) => {
    const { method = 'GET', url = '/' } = request;
    asked.push(`${method} ${url}`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
    const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    const answer = await app.fetch(new Request(publicUrl + url, { method, headers, body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(spoil(url, await answer.text()));
  };
  server.on('request', listen);
  return {
    asked,
    baseUrl: `${publicUrl}/api`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
