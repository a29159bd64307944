import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { signWebhook } from '@topup-kit/sdk';
import { expect, it, onTestFinished, vi } from 'vitest';
import { eventMeanings } from '../../packages/core/src/contract/event-object.ts';
import { freePort } from '../../test/free-port.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const guide = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');

interface Receiver {
  send(request: Awaited<ReturnType<typeof signWebhook>>): Promise<{ status: number; text: string }>;
  output(): string;
}

/** Runs a receiver as a program. */
async function startProgram(file: string): Promise<Receiver> {
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, ['--conditions=@topup-kit/source', pathOf(file)], {
    env: { ...process.env, PORT: String(port), TOPUP_WEBHOOK_SECRET: secret },
  });
  onTestFinished(() => void child.kill());
  let output = '';
  child.stdout?.on('data', (data) => (output += data));
  const url = `http://127.0.0.1:${port}/hooks`;
  await vi.waitFor(() => fetch(url), 10_000);
  return {
    async send(request) {
      const response = await fetch(url, request);
      return { status: response.status, text: await response.text() };
    },
    output: () => output,
  };
}

/** Calls the handler of a route in the same way as Next. */
async function startRoute(): Promise<Receiver> {
  vi.stubEnv('TOPUP_WEBHOOK_SECRET', secret);
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => {
    vi.unstubAllEnvs();
    log.mockRestore();
  });
  const { POST } = await import('./next.ts');
  return {
    async send(request) {
      const response = await POST(new Request('http://shop.test/hooks', request));
      return { status: response.status, text: await response.text() };
    },
    output: () => log.mock.calls.map(([line]) => `${line}\n`).join(''),
  };
}

const delivered = {
  id: 'evt_1',
  type: 'order.delivered',
  data: { order: { order_id: 'INV-20260329093000-ABCDEFGH' }, game: {}, product: {} },
};

it.each([
  ['hono.ts', () => startProgram('hono.ts')],
  ['express.ts', () => startProgram('express.ts')],
  ['next.ts', startRoute],
])('accepts a webhook once in %s, and rejects a forged webhook', async (_file, start) => {
  const receiver = await start();
  const forged = await signWebhook(delivered, `whsec_${'A'.repeat(32)}`);
  expect(await receiver.send(forged)).toEqual({ status: 400, text: 'INVALID_WEBHOOK_SIGNATURE' });
  expect(receiver.output()).toBe('');

  for (let attempt = 0; attempt < 2; attempt += 1)
    expect(await receiver.send(await signWebhook(delivered, secret))).toEqual({ status: 204, text: '' });
  await vi.waitFor(() => expect(receiver.output()).toBe('INV-20260329093000-ABCDEFGH was delivered\n'));
});

it('the guide shows the receiver for Hono as it is', async () => {
  expect(guide).toContain(`\`\`\`ts\n${await readFile(pathOf('hono.ts'), 'utf8')}\`\`\``);
});

it('the guide names each type of event', () => {
  const rows = [...guide.matchAll(/^\| `([a-z]+\.[a-z]+)` \| (.+) \|$/gm)].map(([, type, meaning]) => [
    type,
    meaning,
  ]);
  expect(rows).toEqual(Object.entries(eventMeanings));
});
