import { expect, it } from 'vitest';
import {
  createWebhookSecret,
  equalInConstantTime,
  isWebhookSecret,
  signWebhook,
  webhookHeaders,
} from '../src/contract/index.ts';

/** The vector of the specification. */
const vector = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
};
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

const secretOf = (length: number): string =>
  `whsec_${Buffer.from(new Uint8Array(length).fill(251)).toString('base64')}`;

it('signs a webhook as Standard Webhooks specifies', async () => {
  expect(await signWebhook(vector)).toBe(signature);
});

it('signs the bytes of a body like its text', async () => {
  const bytes = new TextEncoder().encode(vector.body);

  expect(await signWebhook({ ...vector, body: bytes })).toBe(signature);
  expect(await signWebhook({ ...vector, body: bytes.subarray(1) })).not.toBe(signature);
});

it('signs non-ASCII characters as UTF-8', async () => {
  const body = '{"nickname":"龍🐉"}';

  expect(await signWebhook({ ...vector, body })).toBe(
    await signWebhook({ ...vector, body: new Uint8Array(Buffer.from(body, 'utf8')) }),
  );
});

it('sends a signature for each secret, so that a secret can be rotated', async () => {
  const { secret, ...webhook } = vector;

  expect(await webhookHeaders({ ...webhook, secrets: [secretOf(32), secret] })).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': `${await signWebhook({ ...vector, secret: secretOf(32) })} ${signature}`,
  });
});

it('creates secrets of 24 to 64 bytes', () => {
  expect(createWebhookSecret(new Uint8Array(24).fill(251))).toBe(secretOf(24));
  expect(isWebhookSecret(createWebhookSecret(new Uint8Array(64)))).toBe(true);
  expect(() => createWebhookSecret(new Uint8Array(23))).toThrow(
    'A webhook secret is "whsec_" and the base64 of 24 to 64 bytes.',
  );
  expect(() => createWebhookSecret(new Uint8Array(65))).toThrow(RangeError);
});

it.each([24, 25, 26, 64])('accepts a secret of %i bytes', (length) => {
  expect(isWebhookSecret(secretOf(length))).toBe(true);
});

it.each([
  ['no prefix', secretOf(24).slice(6)],
  ['another prefix', secretOf(24).replace('whsec_', 'whsec-')],
  ['too short', secretOf(23)],
  ['too long', secretOf(65)],
  ['base64url', secretOf(24).replaceAll('+', '-')],
  ['an underscore', `whsec_${'_'.repeat(32)}`],
  ['padding missing', secretOf(25).slice(0, -1)],
  ['white space', `${secretOf(24)}\n`],
  ['empty', ''],
])('rejects a secret with %s, and does not show it', async (_what, secret) => {
  expect(isWebhookSecret(secret)).toBe(false);
  await expect(signWebhook({ ...vector, secret })).rejects.toThrow(
    /^A webhook secret is "whsec_" and the base64 of 24 to 64 bytes\.$/,
  );
});

it('accepts only an equal signature', () => {
  expect(equalInConstantTime(signature, signature)).toBe(true);
  expect(equalInConstantTime(signature, `${signature}=`)).toBe(false);
  expect(equalInConstantTime(signature, signature.slice(0, -1))).toBe(false);
  expect(equalInConstantTime(signature, signature.replace('g0h', 'g1h'))).toBe(false);
  expect(equalInConstantTime('', signature)).toBe(false);
});
