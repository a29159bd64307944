import { isTopupError, verifyWebhook } from '@topup-kit/sdk';
import express from 'express';

const done = new Set<string>();

const app = express();
app.post('/hooks', express.raw({ type: () => true }), async (request, response) => {
  try {
    const event = await verifyWebhook(request.body, request.headers, process.env.TOPUP_WEBHOOK_SECRET);
    if (event.type === 'order.delivered' && !done.has(event.id))
      console.log(`${event.data.order.order_id} was delivered`);
    done.add(event.id);
    response.status(204).end();
  } catch (error) {
    if (!isTopupError(error) || error.name !== 'TopupWebhookError') throw error;
    response.status(400).send(error.code);
  }
});

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
