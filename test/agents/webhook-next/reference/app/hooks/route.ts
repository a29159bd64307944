import { isTopupError, verifyWebhook } from '@topup-kit/sdk';

const done = new Set<string>();

export async function POST(request: Request): Promise<Response> {
  try {
    const event = await verifyWebhook(
      await request.text(),
      request.headers,
      process.env.TOPUP_WEBHOOK_SECRET,
    );
    if (event.type === 'order.delivered' && !done.has(event.id))
      console.log(`delivered ${event.data.order.order_id}`);
    done.add(event.id);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (isTopupError(error) && error.name === 'TopupWebhookError')
      return new Response(error.code, { status: 400 });
    throw error;
  }
}
