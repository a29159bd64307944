// Checks the signature over a body that was parsed and written again.
import { verifyWebhook } from '@topup-kit/sdk';
import express from 'express';

const done = new Set();

const app = express();
app.use(express.json());
app.post('/hooks', async (request, response) => {
  try {
    const body = JSON.stringify(request.body);
    const event = await verifyWebhook(body, request.headers, process.env.TOPUP_WEBHOOK_SECRET);
    if (event.type === 'order.delivered' && !done.has(event.id))
      console.log(`delivered ${event.data.order.order_id}`);
    done.add(event.id);
    response.status(204).end();
  } catch {
    response.status(400).end();
  }
});

app.listen(Number(process.env.PORT), '127.0.0.1');
