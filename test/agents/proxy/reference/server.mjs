import { Readable } from 'node:stream';
import { createTopupProxy } from '@topup-kit/sdk/proxy';
import express from 'express';

const proxy = createTopupProxy({
  baseUrl: process.env.TOPUP_BASE_URL,
  apiKey: process.env.TOPUP_API_KEY,
  basePath: '/api/topup',
});

const app = express();
app.all('/api/topup/{*path}', async (req, res) => {
  const request = new Request(new URL(req.originalUrl, `${req.protocol}://${req.host}`), {
    method: req.method,
    headers: req.headers,
    ...(req.method === 'POST' && { body: Readable.toWeb(req), duplex: 'half' }),
  });
  const response = await proxy(request, { address: req.ip });
  res
    .status(response.status)
    .setHeaders(response.headers)
    .end(await response.text());
});

app.listen(Number(process.env.PORT), '127.0.0.1');
