/** The minimum work for Node: raw node:http that sends the bytes of the URL in RESPONSE_OF to every request. */
import { createServer } from 'node:http';
import { reportToBench } from './report-to-bench.ts';

const { RESPONSE_OF = '', API_KEY = '' } = process.env;
const original = await fetch(RESPONSE_OF, { headers: { 'X-API-KEY': API_KEY } });
const bytes = Buffer.from(await original.arrayBuffer());
const headers = { 'Content-Type': 'application/json', 'Content-Length': bytes.length };

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) reportToBench(`http://127.0.0.1:${address.port}`);
});
