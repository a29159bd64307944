import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { proxy } from './proxy.ts';

const app = new Hono();
app.all('/api/topup/*', (c) => proxy(c.req.raw, { address: getConnInfo(c).remote.address }));

export const server = serve({
  fetch: app.fetch,
  hostname: '127.0.0.1',
  port: Number(process.env.PORT ?? 3000),
});
