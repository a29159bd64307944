import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { type TopupEvent, verifyWebhook } from '@topup-kit/sdk';

const { env } = process;
const handled = new Set<string>();

function messageOf({ type, data }: TopupEvent): string | undefined {
  if (type === 'alert.raised') return `Topup: ${data.sentence}`;
  if (type === 'alert.cleared') return `Topup, over: ${data.sentence}`;
  return type === 'order.failed' ? `Topup: ${data.order.order_id} failed` : undefined;
}

async function send(message: string): Promise<void> {
  const telegram = { chat_id: env.TELEGRAM_CHAT ?? '', text: message };
  const fields = env.FONNTE_TOKEN ? { target: env.FONNTE_TARGET ?? '', message } : telegram;
  const headers = { Authorization: env.FONNTE_TOKEN ?? '' };
  const init = { method: 'POST', headers, body: new URLSearchParams(fields) };
  const response = await fetch(env.MESSENGER_URL ?? '', { ...init, signal: AbortSignal.timeout(8_000) });
  // Telegram's response contains ok. Fonnte's contains status, and has the status 200 even if it sends nothing.
  const { ok, status } = await response.json();
  if (!(ok ?? status)) throw new Error('The messenger sent nothing.');
}

createServer(async (request, response) => {
  try {
    const event = await verifyWebhook(await text(request), request.headers, env.TOPUP_WEBHOOK_SECRET);
    const message = messageOf(event);
    if (message !== undefined && !handled.has(event.id)) await send(message);
    handled.add(event.id);
    response.writeHead(204).end();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    response.writeHead(500).end(); // The event is sent again later after any response that is not 2xx.
  }
}).listen(Number(env.PORT ?? 3000), '127.0.0.1');
