import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { proxy } from './proxy.ts';

const app = express();
// Before express.json(), which would have read the body. Behind a proxy of yours, tell Express: 'trust proxy'.
app.all('/api/topup/{*path}', (req, res) =>
  getRequestListener((request) => proxy(request, { address: req.ip }))(req, res),
);
app.use(express.json());

export const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
