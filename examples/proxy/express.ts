import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { proxy } from './proxy.ts';

const app = express();
// Must come before express.json(), which would consume the body. Behind your own proxy, set Express's 'trust proxy'.
app.all('/api/topup/{*path}', (req, res) =>
  getRequestListener((request) => proxy(request, { address: req.ip }))(req, res),
);
app.use(express.json());

export const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
