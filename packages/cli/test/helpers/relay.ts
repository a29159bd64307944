import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to an order on its way to the service; `pass` forwards it and returns the service's response. */
export type OnOrder = (pass: () => Promise<Response>) => Promise<Response | undefined>;

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function passBack(answer: Response, response: ServerResponse): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  const names = ['content-type', 'idempotency-key', 'idempotency-replayed', 'x-error-code'];
  const headers = names.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  response.writeHead(answer.status, Object.fromEntries(headers)).end(body);
}

/**
 * A proxy between the command and a service, which lets a test act while an order passes; an order without a response
 * is disconnected.
 */
export async function startRelay(target: string) {
  const hooks = new Map<string, OnOrder>();
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const body = await readAll(request).catch(() => undefined);
    if (!body) return response.destroy();
    const { id = '' }: { id?: string } = body.length > 0 ? JSON.parse(body.toString()) : {};
    const { host, connection, 'content-length': length, ...kept } = request.headers;
    const headers = Object.entries(kept).map(([name, value]): [string, string] => [name, String(value)]);
    const sent = body.length > 0 ? new Uint8Array(body) : null;
    const pass = () => fetch(target + url, { method, headers, body: sent });
    const hook = hooks.get(id);
    hooks.delete(id);
    const answer = hook ? await hook(pass) : await pass();
    if (answer) await passBack(answer, response);
    else response.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // Safe: it listens on a port, not on a pipe.
  return {
    baseUrl: `http://127.0.0.1:${port}/api`,
    /** Sets what happens to the next order. */
    onOrder: (account: string, hook: OnOrder) => hooks.set(account, hook),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
