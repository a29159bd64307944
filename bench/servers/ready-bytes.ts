/**
 * Minimum work for Node: raw node:http sends the bytes of the URL in RESPONSE_OF in response to every request. With NOT_MODIFIED, it sends
 * only a 304 with the headers of a list.
 */
import { createServer } from 'node:http';
import { listenForBench } from './listen.ts';

const { RESPONSE_OF = '', API_KEY = '', NOT_MODIFIED } = process.env;
const original = await fetch(RESPONSE_OF, { headers: { 'X-API-KEY': API_KEY } });
const bytes = Buffer.from(await original.arrayBuffer());
const headers = { 'Content-Type': 'application/json', 'Content-Length': bytes.length };
const etag = { ETag: original.headers.get('ETag') ?? '' };

const server = createServer((_request, response) => {
  if (NOT_MODIFIED === undefined) response.writeHead(200, headers).end(bytes);
  else response.writeHead(304, etag).end();
});
listenForBench(server);
