import { createServer } from 'node:http';

/** Serves a handler of the Fetch standard at PORT, as the platform would. An error becomes a 500. */
export function listen(handle) {
  createServer(async (incoming, response) => {
    const chunks = await Array.fromAsync(incoming);
    const request = new Request(new URL(incoming.url ?? '/', 'http://shop.test'), {
      method: incoming.method,
      headers: incoming.headers,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    try {
      const answer = await handle(request);
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    } catch (error) {
      console.error(error);
      response.writeHead(500).end();
    }
  }).listen(Number(process.env.PORT), '127.0.0.1');
}
