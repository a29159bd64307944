import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { proxy } from './proxy.ts';

const topup = getRequestListener((request, { incoming }) =>
  proxy(request, { address: incoming.socket.remoteAddress }),
);

export const server = createServer((request, response) => {
  if (request.url?.startsWith('/api/topup/')) return topup(request, response);
  response.setHeader('Content-Type', 'text/html').end('<title>Shop</title>');
}).listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
