import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { signWebhook } from '@topup-kit/sdk';
import { createKeyText, type RunningServer, secureRandom } from '@topup-kit/server';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../../test/free-port.ts';
import type { Shop } from './shops.ts';

const order = JSON.parse(await readFile(new URL('order.json', import.meta.url), 'utf8'));

/** Shop in its folder, and a sandbox. */
interface Parts {
  shop: Shop;
  folder: string;
  server: RunningServer;
}

/** Tests the receiver of webhooks on a page of the documentation. */
export function testReceiver(parts: () => Parts): void {
  const secret = `whsec_${'A'.repeat(32)}`;
  const old = `whsec_${'B'.repeat(32)}`;
  const eventOf = (id: string) => ({
    type: 'order.delivered',
    data: { order: { order_id: id, nickname: 'Budi 🎮' }, game: {}, product: {} },
  });
  const event = eventOf('INV-20260329093000-ABCDEFGH');
  let apiKey: string;
  beforeEach(() => {
    apiKey = createKeyText('test', secureRandom);
  });

  /** Calls a control route of the sandbox. */
  async function control(path: string, body: object = {}) {
    const headers = { 'X-API-KEY': apiKey, 'Content-Type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${parts().server.publicUrl}/sandbox/${path}`, sent);
    expect(response.status).toBe(200);
    return (await response.json()).data;
  }
  const createOrder = async (state?: string): Promise<string> =>
    (await control('create-order', { ...order, ...(state && { state }) })).order_id;

  async function receive(secrets: string) {
    const port = await freePort();
    const { file, given } = parts().shop.receive(port);
    const env = {
      ...process.env,
      TOPUP_WEBHOOK_SECRET: secrets,
      TOPUP_BASE_URL: parts().server.baseUrl,
      TOPUP_API_KEY: apiKey,
    };
    const child = spawn(file, given, { env, cwd: parts().folder });
    onTestFinished(() => void child.kill());
    let output = '';
    child.stdout.on('data', (data) => (output += data));
    const url = `http://127.0.0.1:${port}/`;
    const ended = once(child, 'exit').then(() => {
      throw new Error('The receiver did not start.');
    });
    await Promise.race([vi.waitFor(() => fetch(url, { method: 'POST' }), 10_000), ended]);
    ended.catch(() => {});
    const send = async (request: Awaited<ReturnType<typeof signWebhook>>) => {
      const response = await fetch(url, request);
      return { status: response.status, text: await response.text() };
    };
    return { url, send, output: () => output };
  }
  const rejected = (text: string) => ({ status: 400, text });
  const accepted = { status: 204, text: '' };

  it('accepts a genuine webhook once', async () => {
    const { send, output } = await receive(secret);
    const [first, later] = [await createOrder('PAID / Sukses'), await createOrder()];
    const genuine = await signWebhook(eventOf(first), secret);
    expect(await send(genuine)).toEqual(accepted);
    expect(await send(genuine)).toEqual(accepted);
    // When a later event has arrived, the second event can't be printed any more.
    expect(await send(await signWebhook(eventOf(later), secret))).toEqual(accepted);
    await vi.waitFor(() => expect(output()).toContain(later));
    expect(output()).toBe(`${first} is PAID / Sukses\n${later} is UNPAID / Pending\n`);
  });

  it('asks the service to resend a webhook whose order could not be read', async () => {
    const { send, output } = await receive(secret);
    const genuine = await signWebhook(eventOf(await createOrder()), secret);
    await control('add-fault', { error: 'UNAVAILABLE', times: 1 });
    expect(await send(genuine)).toMatchObject({ status: 503 });
    expect(await send(genuine)).toEqual(accepted);
    await vi.waitFor(() => expect(output()).toMatch(/^INV-\S+ is UNPAID \/ Pending\n$/));
  });

  it('handles late, duplicate, unordered and forged webhooks of a sandbox', async () => {
    const { secret: ofSandbox } = await control('remove-webhooks');
    const { url, output } = await receive(ofSandbox);
    await control('add-webhook', { url });
    /** Number of lines that were already checked, after all events have arrived. */
    let seen = 0;
    async function sent(): Promise<string[]> {
      const { sent: all } = await control('settle-webhooks');
      const lines = all
        .slice(seen)
        .map((delivery: { type: string; status: number; fault: string | null }) =>
          [delivery.type, delivery.status, delivery.fault].join(' '),
        );
      seen = all.length;
      return lines;
    }

    await control('fault-webhook', { fault: 'twice' });
    const id = await createOrder();
    expect(await sent()).toEqual(['order.created 204 twice', 'order.created 204 twice']);
    await control('fault-webhook', { fault: 'out-of-order', times: 2 });
    await control(`orders/${id}/pay`);
    await control(`orders/${id}/deliver`);
    expect(await sent()).toEqual([
      'order.delivered 204 ',
      'order.paid 204 out-of-order',
      'order.processing 204 out-of-order',
    ]);
    await control('fault-webhook', { fault: 'forged' });
    const other = await createOrder();
    expect(await sent()).toEqual(['order.created 400 forged']);
    await control('fault-webhook', { fault: 'late' });
    await control(`orders/${other}/fail`);
    expect(await sent()).toEqual([]);
    await control('release-webhooks');
    expect(await sent()).toEqual(['order.failed 204 late']);

    await vi.waitFor(() => expect(output()).toContain('FAILED'));
    expect(output().trimEnd().split('\n')).toEqual([
      `${id} is UNPAID / Pending`,
      ...Array.from({ length: 3 }, () => `${id} is PAID / Sukses`),
      `${other} is FAILED / Batal`,
    ]);
  });

  it('rejects a webhook that is forged, changed, too old or from the future', async () => {
    const { send, output } = await receive(secret);
    const genuine = await signWebhook(event, secret);
    const forged = rejected('INVALID_WEBHOOK_SIGNATURE');
    expect(await send(await signWebhook(event, old))).toEqual(forged);
    expect(await send({ ...genuine, body: `${genuine.body} ` })).toEqual(forged);
    expect(await send({ ...genuine, headers: { ...genuine.headers, 'webhook-id': 'evt_2' } })).toEqual(
      forged,
    );
    const signature = genuine.headers['webhook-signature'].replace('v1,', 'v2,');
    expect(
      await send({ ...genuine, headers: { ...genuine.headers, 'webhook-signature': signature } }),
    ).toEqual(forged);
    for (const off of [-310_000, 310_000])
      expect(await send(await signWebhook(event, secret, { now: Date.now() + off }))).toEqual(
        rejected('STALE_WEBHOOK'),
      );
    expect(output()).toBe('');
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'rejects a webhook without %s',
    async (name) => {
      const { send } = await receive(secret);
      const genuine = await signWebhook(event, secret);
      const headers = { ...genuine.headers, [name]: '' };
      expect(await send({ ...genuine, headers })).toEqual(rejected('MISSING_WEBHOOK_HEADER'));
    },
  );

  it('accepts a webhook with any of several signatures that match any of several secrets', async () => {
    const genuine = eventOf(await createOrder());
    const single = await receive(secret);
    expect(await single.send(await signWebhook(genuine, [old, secret]))).toEqual(accepted);
    const both = await receive(`${old} ${secret}`);
    expect(await both.send(await signWebhook(genuine, secret))).toEqual(accepted);
  });

  it.each(['', 'whsec_', 'whsec_AAAA'])('accepts no webhook with the secret "%s"', async (secrets) => {
    const started = await receive(secrets).catch(() => undefined);
    const { headers, ...genuine } = await signWebhook(eventOf(await createOrder()), secret);
    // Anyone can sign with an empty or short key.
    const signature = createHmac('sha256', Buffer.from(secrets.slice('whsec_'.length), 'base64'))
      .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${genuine.body}`)
      .digest('base64');
    const forged = { ...genuine, headers: { ...headers, 'webhook-signature': `v1,${signature}` } };
    expect((await started?.send(forged))?.status ?? 'not started').not.toBe(204);
  });
}
