/** The least that Node can do: raw node:http answering the bytes it was given in RESPONSE_OF, whatever is asked. */
import { createServer } from 'node:http';
import { tellParent } from './tell-parent.ts';

const { RESPONSE_OF = '', API_KEY = '' } = process.env;
const answer = await fetch(RESPONSE_OF, { headers: { 'X-API-KEY': API_KEY } });
const bytes = Buffer.from(await answer.arrayBuffer());
const headers = { 'Content-Type': 'application/json', 'Content-Length': bytes.length };

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) tellParent(`http://127.0.0.1:${address.port}`);
});
