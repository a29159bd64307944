// Remembers events in the memory of an isolate.
import { verifyWebhook } from '@topup-kit/sdk';

const done = new Set();

export default {
  async fetch(request, env) {
    try {
      const event = await verifyWebhook(await request.text(), request.headers, env.TOPUP_WEBHOOK_SECRET);
      if (event.type === 'order.delivered' && !done.has(event.id)) {
        done.add(event.id);
        await env.MAIL.send(event.data.order.order_id);
      }
      return new Response(null, { status: 204 });
    } catch {
      return new Response(null, { status: 400 });
    }
  },
};
