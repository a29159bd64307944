import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '@topup-kit/sdk';
import { expect, it } from 'vitest';
import type { RunningServer } from '../src/index.ts';
import { fixtureOrder, startSandbox } from './helpers/sandbox.ts';

const control = async (server: RunningServer, name: string, body?: object) => {
  const response = await fetch(`${server.localUrl}/sandbox/${name}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json', 'Accept-Language': 'en' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json = await response.json();
  return { status: response.status, data: json.data, errors: json.errors };
};

/** A receiver of webhooks that keeps what it gets. */
async function startReceiver() {
  const received: { body: string; headers: Headers }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({
      body,
      headers: new Headers(Object.entries(request.headers).map(([n, v]) => [n, String(v)])),
    });
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

it.each([
  ['UNPAID / Pending', 'UNPAID', 'Pending'],
  ['PAID / Sukses', 'PAID', 'Sukses'],
  ['REFUND / Gagal', 'REFUND', 'Gagal'],
])('places an order in the state %s', async (state, payment_status, buy_status) => {
  await using server = await startSandbox();
  const { status, data } = await control(server, 'create-order', { ...fixtureOrder, state });
  expect([status, data]).toMatchObject([200, { payment_status, buy_status }]);
  const shown = await fetch(`${server.baseUrl}/invoice/${data.order_id}`, {
    headers: { 'X-API-KEY': server.sandboxKey ?? '' },
  });
  expect(shown.status).toBe(200);
});

it('restores the orders, the clock, the catalogue and the faults of a snapshot', async () => {
  await using server = await startSandbox();
  const games = async () =>
    (
      await (
        await fetch(`${server.baseUrl}/games`, { headers: { 'X-API-KEY': server.sandboxKey ?? '' } })
      ).json()
    ).games.length;
  const before = await games();
  await control(server, 'add-fault', { delay: '1ms' });
  const { data: first } = await control(server, 'create-order', { ...fixtureOrder });
  const { data: snapshot } = await control(server, 'snapshot', {});
  await control(server, 'advance', { by: '2d' });
  await control(server, 'remove-fault', {});
  const { data: shown } = await control(server, 'catalog');
  const fewer = { ...shown.catalog, games: shown.catalog.games.slice(0, 1), promos: [] };
  await control(server, 'replace-catalog', { document: JSON.stringify(fewer) });
  expect(await games()).toBe(1);
  const { data: second } = await control(server, 'create-order', {
    ...fixtureOrder,
    promo_code: '',
  });
  expect((await control(server, 'restore', { id: snapshot.id })).status).toBe(200);
  expect(await games()).toBe(before);
  expect((await control(server, 'faults')).data.faults).toMatchObject([{ delay: '1ms' }]);
  const statusOf = async (id: string) =>
    (await fetch(`${server.baseUrl}/invoice/${id}`, { headers: { 'X-API-KEY': server.sandboxKey ?? '' } }))
      .status;
  expect([await statusOf(first.order_id), await statusOf(second.order_id)]).toEqual([200, 404]);
  const world = await (await fetch(`${server.localUrl}/sandbox`)).json();
  expect(world.data.ahead_ms).toBe(0);
  expect((await control(server, 'restore', { id: 99 })).errors).toHaveProperty('id');
});

it('restores the scenario of a snapshot, which can then be ended', async () => {
  await using server = await startSandbox();
  const scenario = async () => (await (await fetch(`${server.localUrl}/sandbox`)).json()).data.scenario;
  await control(server, 'scenario', { name: 'supplier-down' });
  const { data: snapshot } = await control(server, 'snapshot', {});
  await control(server, 'scenario', { name: 'none' });
  await control(server, 'restore', { id: snapshot.id });
  expect(await scenario()).toBe('supplier-down');
  await control(server, 'scenario', { name: 'none' });
  expect([await scenario(), (await control(server, 'faults')).data.faults]).toEqual(['none', []]);
});

it('sends each event once to a URL that was added twice', async () => {
  await using server = await startSandbox();
  await using receiver = await startReceiver();
  await control(server, 'add-webhook', { url: receiver.url });
  await control(server, 'add-webhook', { url: receiver.url });
  await control(server, 'create-order', { ...fixtureOrder });
  await control(server, 'settle-webhooks', {});
  expect(receiver.received).toHaveLength(1);
});

it('respects the limits for an order that a control creates', async () => {
  await using server = await startSandbox();
  const { errors } = await control(server, 'create-order', { ...fixtureOrder, nickname: 'x'.repeat(256) });
  expect(errors).toHaveProperty('nickname');
});

it('rejects an invalid catalogue, and names the problem', async () => {
  await using server = await startSandbox();
  const { status, errors } = await control(server, 'replace-catalog', { document: '{"games": 1}' });
  expect([status, errors.document[0]]).toEqual([422, expect.stringContaining('games')]);
});

it('sends signed webhooks about its orders to a URL, with faults', async () => {
  await using server = await startSandbox();
  await using receiver = await startReceiver();
  const { data } = await control(server, 'add-webhook', { url: receiver.url });
  await control(server, 'fault-webhook', { fault: 'twice' });
  await control(server, 'create-order', { ...fixtureOrder });
  expect((await control(server, 'settle-webhooks', {})).data.sent).toMatchObject([
    { type: 'order.created', status: 204, fault: 'twice' },
    { type: 'order.created', status: 204, fault: 'twice' },
  ]);
  const events = await Promise.all(
    receiver.received.map(({ body, headers }) => verifyWebhook(body, headers, data.secret)),
  );
  expect(new Set(events.map(({ id }) => id)).size).toBe(1);
  await control(server, 'fault-webhook', { fault: 'forged' });
  await control(server, 'create-order', { ...fixtureOrder, promo_code: '' });
  await control(server, 'settle-webhooks', {});
  const forged = receiver.received.at(-1);
  await expect(verifyWebhook(forged?.body ?? '', forged?.headers ?? {}, data.secret)).rejects.toThrow();
  await control(server, 'fault-webhook', { fault: 'late' });
  await control(server, 'create-order', { ...fixtureOrder, promo_code: '' });
  await control(server, 'settle-webhooks', {});
  const count = receiver.received.length;
  await control(server, 'release-webhooks', {});
  expect(receiver.received).toHaveLength(count + 1);
  const [{ id }] = (await control(server, 'webhooks')).data.sent;
  await control(server, 'resend-webhook', { id });
  expect(receiver.received).toHaveLength(count + 2);
  expect((await control(server, 'remove-webhooks', {})).data.receivers).toEqual([]);
});
