import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it } from 'vitest';
import { spawnTopup, topup } from './helpers/child.ts';
import { connectAssistant } from './helpers/mcp.ts';
import { home, until } from './helpers/run.ts';

it('lets an assistant place, pay for and deliver an order through topup mcp', {
  timeout: 30_000,
}, async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [topup, 'mcp', '--start'],
    env: { PATH: process.env.PATH ?? '', HOME: home, PORT: '0' },
    stderr: 'pipe',
  });
  const strays: Error[] = [];
  await using assistant = await connectAssistant(transport);
  // Called for each line of stdout that is no message.
  assistant.client.onerror = (error) => strays.push(error);

  const { result } = await assistant.call('sandbox_status');
  expect(result).toMatchObject({ ends_with_this_session: true });
  // Code under development calls the same sandbox.
  const headers = { 'X-API-KEY': result.api_key, 'Content-Type': 'application/json' };
  const response = await fetch(`${result.base_url}/order`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      ...{ id: '12345678', server: '2012', game: 'mobile-legends', product_id: 901 },
      ...{ payment_method_id: 12, whatsapp: '081234567890' },
    }),
  });
  const { orderId: order_id } = await response.json();
  expect((await assistant.call('list_requests')).result.requests).toMatchObject([{ order_id, status: 201 }]);
  for (const action of ['pay', 'deliver']) await assistant.call('act_on_order', { order_id, action });
  expect((await assistant.call('show_order', { order_id })).result.order).toMatchObject({
    ...{ payment_status: 'PAID', buy_status: 'Sukses' },
  });
  expect((await assistant.call('read_docs', { page: 'interface' })).result.text).toMatch(/^# /);

  await assistant.client.close();
  await expect(fetch(result.base_url)).rejects.toThrow();
  expect(strays).toEqual([]);
});

it('stops its sandbox and ends after a signal', { timeout: 30_000 }, async () => {
  await using child = spawnTopup(['mcp', '--start'], [], { PORT: '0' });
  const [, baseUrl = ''] = await until(() => /at (http:\S+)\.\n/.exec(child.said.stderr), 20_000);
  child.process.kill('SIGTERM');
  expect(await child.ended).toEqual({ code: 0, signal: null });
  await expect(fetch(baseUrl)).rejects.toThrow();
  expect(child.said.stdout).toBe('');
});
