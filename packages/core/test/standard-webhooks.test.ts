import { execFileSync, spawnSync } from 'node:child_process';
import { verifyWebhook } from '@topup-kit/sdk';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { createWebhookSecret, webhookHeaders } from '../src/contract/index.ts';
import { secureRandom } from '../src/platform/index.ts';

const body = '{"type":"order.paid","timestamp":"2026-03-29T02:30:05.000Z","data":{"name":"Ängström “≥”"}}';
const id = 'evt_0c5d7f3a9b1e2d4c6f8a0b2d';

it("signs webhooks so that the specification's library verifies them, even during a rotation", async () => {
  const [old, current] = [createWebhookSecret(secureRandom(24)), createWebhookSecret(secureRandom(64))];
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = await webhookHeaders({ id, timestamp, body, secrets: [current, old] });
  for (const secret of [old, current])
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(createWebhookSecret(secureRandom(24))).verify(body, headers)).toThrow();
  expect(() => new Webhook(current).verify(`${body} `, headers)).toThrow();
});

it("verifies webhooks that the specification's library signs", async () => {
  const secret = createWebhookSecret(secureRandom(32));
  const now = new Date();
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  };
  expect(await verifyWebhook(body, headers, secret)).toEqual({ id, ...JSON.parse(body) });
  await expect(verifyWebhook(`${body} `, headers, secret)).rejects.toMatchObject({
    code: 'INVALID_WEBHOOK_SIGNATURE',
  });
});

/** What a receiver in Python does, with nothing but its standard library. */
const python = `
import base64, hashlib, hmac, json, sys
given = json.load(sys.stdin)
key = base64.b64decode(given["secret"].removeprefix("whsec_"))
signed = f'{given["id"]}.{given["timestamp"]}.{given["body"]}'.encode()
print("v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode())
`;

it.skipIf(spawnSync('python3', ['--version']).status !== 0)(
  'computes the same signature in Python (skipped without python3)',
  async () => {
    const secret = createWebhookSecret(secureRandom(24));
    const headers = await webhookHeaders({ id, timestamp: 1_614_265_330, body, secrets: [secret] });
    const input = JSON.stringify({ secret, id, timestamp: 1_614_265_330, body });
    const computed = execFileSync('python3', ['-c', python], { input, encoding: 'utf8' });
    expect(computed.trim()).toBe(headers['webhook-signature']);
  },
);
