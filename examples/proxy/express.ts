import { Readable } from 'node:stream';
import express from 'express';
import { proxy } from './proxy.ts';

const app = express();
// Must come before express.json(), which would consume the body. Behind your own proxy, set Express's 'trust proxy'.
app.all('/api/topup/{*path}', async (req, res) => {
  const request = new Request(new URL(req.originalUrl, `${req.protocol}://${req.host}`), {
    method: req.method,
    // safe: Node gives an array only for Set-Cookie, which is no header of requests
    headers: req.headers as Record<string, string>,
    // safe: Node's type and that of the DOM are of the same class
    ...(req.method === 'POST' && { body: Readable.toWeb(req) as ReadableStream, duplex: 'half' }),
  });
  const response = await proxy(request, { address: req.ip });
  res
    .status(response.status)
    .setHeaders(response.headers)
    .end(await response.text());
});
app.use(express.json());

export const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
