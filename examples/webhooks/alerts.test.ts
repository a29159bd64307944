import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { signWebhook } from '@topup-kit/sdk';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../../test/free-port.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const path = fileURLToPath(new URL('alerts.ts', import.meta.url));

interface Sent {
  url: string;
  headers: IncomingHttpHeaders;
  fields: Record<string, string>;
}

/** Starts a stand-in for the APIs of Telegram and Fonnte; `reply` is its response. */
async function startMessenger() {
  const sent: Sent[] = [];
  const state: { reply: object } = { reply: { ok: true, status: true } };
  const server = createServer(async (request, response) => {
    const fields = Object.fromEntries(new URLSearchParams(await text(request)));
    sent.push({ url: request.url ?? '', headers: request.headers, fields });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(state.reply));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  // Safe: it listens on a port.
  const { port } = server.address() as AddressInfo;
  return { sent, state, url: `http://127.0.0.1:${port}` };
}

/** Runs the receiver. Returns a function that sends it an event, and its output. */
async function startReceiver(environment: Record<string, string>) {
  const port = await freePort();
  const child = spawn(process.execPath, ['--conditions=@topup-kit/source', path], {
    env: { ...process.env, PORT: String(port), TOPUP_WEBHOOK_SECRET: secret, ...environment },
  });
  onTestFinished(() => void child.kill());
  const output = { stderr: '' };
  child.stderr.on('data', (data) => (output.stderr += data));
  const url = `http://127.0.0.1:${port}/`;
  await vi.waitFor(() => fetch(url), 10_000);
  output.stderr = '';
  const send = async (event: { id?: string; type: string; data: object }, by = secret): Promise<number> =>
    (await fetch(url, await signWebhook(event, by))).status;
  return { send, output };
}

const raised = {
  type: 'alert.raised',
  data: { kind: 'low-balance', sentence: 'The balance at digiflazz is low.', count: 1, names: ['digiflazz'] },
};

let messenger: Awaited<ReturnType<typeof startMessenger>>;
beforeEach(async () => {
  messenger = await startMessenger();
});

it.each([
  [
    'Telegram',
    { MESSENGER_URL: '/bot123:abc/sendMessage', TELEGRAM_CHAT: '-1001' },
    { chat_id: '-1001', text: 'Topup: The balance at digiflazz is low.' },
    '',
  ],
  [
    'WhatsApp',
    { MESSENGER_URL: '/send', FONNTE_TOKEN: 'f0nnte', FONNTE_TARGET: '081234567890' },
    { target: '081234567890', message: 'Topup: The balance at digiflazz is low.' },
    'f0nnte',
  ],
])('sends one message in %s for each alert', async (_, environment, fields, authorization) => {
  const { send } = await startReceiver({
    ...environment,
    MESSENGER_URL: messenger.url + environment.MESSENGER_URL,
  });
  expect(await send({ id: 'evt_1', ...raised })).toBe(204);
  expect(await send({ id: 'evt_1', ...raised })).toBe(204);
  expect(messenger.sent).toEqual([
    {
      url: environment.MESSENGER_URL,
      headers: expect.objectContaining({
        authorization,
        'content-type': expect.stringContaining('x-www-form-urlencoded'),
      }),
      fields,
    },
  ]);
});

it.each([
  ['Telegram', {}, { ok: false }, { ok: true }],
  ['WhatsApp', { FONNTE_TOKEN: 'f0nnte' }, { status: false }, { status: true }],
])(
  'sends a message in %s when an event arrives again whose message was not sent',
  async (_, environment, no, yes) => {
    const { send, output } = await startReceiver({ MESSENGER_URL: messenger.url, ...environment });
    messenger.state.reply = no;
    expect(await send({ id: 'evt_1', ...raised })).toBe(500);
    await vi.waitFor(() => expect(output.stderr).toBe('The messenger sent nothing.\n'));
    messenger.state.reply = yes;
    expect(await send({ id: 'evt_1', ...raised })).toBe(204);
    expect(messenger.sent).toHaveLength(2);
  },
);

it('has a text for each kind of alert event, and no message for other events', async () => {
  const { send } = await startReceiver({ MESSENGER_URL: messenger.url });
  for (const [type, data] of [
    ['alert.cleared', raised.data],
    ['order.failed', { order: { order_id: 'INV-1' }, game: {}, product: {} }],
    ['order.paid', { order: { order_id: 'INV-1' }, game: {}, product: {} }],
    ['of.tomorrow', {}],
  ] as const)
    expect(await send({ type, data })).toBe(204);
  expect(messenger.sent.map(({ fields }) => fields.text)).toEqual([
    'Topup, over: The balance at digiflazz is low.',
    'Topup: INV-1 failed',
  ]);
});

it('sends no message for an event without a valid signature', async () => {
  const { send } = await startReceiver({ MESSENGER_URL: messenger.url });
  expect(await send(raised, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')).toBe(500);
  expect(messenger.sent).toEqual([]);
});
