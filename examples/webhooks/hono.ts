import { serve } from '@hono/node-server';
import { isTopupError, verifyWebhook } from '@topup-kit/sdk';
import { Hono } from 'hono';

const done = new Set<string>();

export const app = new Hono();
app.post('/hooks', async ({ req }) => {
  try {
    const event = await verifyWebhook(await req.text(), req.raw.headers, process.env.TOPUP_WEBHOOK_SECRET);
    if (event.type === 'order.delivered' && !done.has(event.id))
      console.log(`${event.data.order.order_id} was delivered`);
    done.add(event.id);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (isTopupError(error) && error.name === 'TopupWebhookError')
      return new Response(error.code, { status: 400 });
    throw error;
  }
});

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' });
