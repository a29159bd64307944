// Handles each delivery of an event as a new one.
import { verifyWebhook } from '@topup-kit/sdk';

export async function POST(request: Request): Promise<Response> {
  try {
    const body = await request.text();
    const event = await verifyWebhook(body, request.headers, process.env.TOPUP_WEBHOOK_SECRET);
    if (event.type === 'order.delivered') console.log(`delivered ${event.data.order.order_id}`);
    return new Response(null, { status: 204 });
  } catch {
    return new Response(null, { status: 400 });
  }
}
