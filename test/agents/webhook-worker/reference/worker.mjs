import { isTopupError, verifyWebhook } from '@topup-kit/sdk';

export default {
  async fetch(request, env) {
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    try {
      const event = await verifyWebhook(await request.text(), request.headers, env.TOPUP_WEBHOOK_SECRET);
      if (event.type === 'order.delivered' && !(await env.EVENTS.get(event.id))) {
        await env.MAIL.send(event.data.order.order_id);
        await env.EVENTS.put(event.id, 'done');
      }
      return new Response(null, { status: 204 });
    } catch (error) {
      if (isTopupError(error) && error.name === 'TopupWebhookError')
        return new Response(error.code, { status: 400 });
      throw error;
    }
  },
};
