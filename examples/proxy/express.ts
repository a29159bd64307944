import { Readable } from 'node:stream';
import express from 'express';
import { proxy } from './proxy.ts';

const app = express();
// Must come before express.json(), which would consume the body. Behind your own proxy, set Express's 'trust proxy'.
app.all('/api/topup/{*path}', async (req, res) => {
  const request = new Request(new URL(req.originalUrl, `${req.protocol}://${req.host}`), {
    method: req.method,
    // Safe: Node returns an array only for Set-Cookie, which requests don't have.
    headers: req.headers as Record<string, string>,
    // Safe: Node and the DOM have types for the same class.
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
