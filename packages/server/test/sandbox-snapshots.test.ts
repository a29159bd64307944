import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTopupMock } from '@topup-kit/mock';
import { expect, it, vi } from 'vitest';
import type { RunningServer } from '../src/index.ts';
import { fixtureOrder, startSandbox, temporaryFolder } from './helpers/sandbox.ts';

const control = async (server: RunningServer, name: string, body?: object, key?: string) => {
  const response = await fetch(`${server.localUrl}/sandbox/${name}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      'Content-Type': 'application/json',
      'Accept-Language': 'en',
      ...(key && { 'X-API-KEY': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json = await response.json();
  return { status: response.status, data: json.data, errors: json.errors, message: json.message };
};

const stateOf = async (server: RunningServer, orderId: string, key = server.sandboxKey ?? '') => {
  const response = await fetch(`${server.baseUrl}/invoice/${orderId}/payment-status`, {
    headers: { 'X-API-KEY': key },
  });
  if (response.status !== 200) return response.status;
  const { data } = await response.json();
  return `${data.payment_status} / ${data.buy_status}`;
};

it("restores a snapshot's JSON in another sandbox, at the snapshot's time, and doesn't place the same order twice", async () => {
  await using first = await startSandbox();
  const place = (server: RunningServer) =>
    fetch(`${server.baseUrl}/order`, {
      method: 'POST',
      headers: {
        ...{ 'Content-Type': 'application/json', 'X-API-KEY': server.sandboxKey ?? '' },
        'Idempotency-Key': 'cart-17',
      },
      body: JSON.stringify(fixtureOrder),
    });
  const { orderId } = await (await place(first)).json();
  const { data: failed } = await control(first, 'create-order', { ...fixtureOrder, state: 'PAID / Gagal' });
  await control(first, 'advance', { by: '20m' });
  await control(first, 'add-fault', { delay: '1ms' });
  const { data } = await control(first, 'snapshot', {});

  await using second = await startSandbox();
  expect((await control(second, 'restore', data.snapshot)).status).toBe(200);
  expect([await stateOf(second, orderId), await stateOf(second, failed.order_id)]).toEqual([
    'UNPAID / Pending',
    'PAID / Gagal',
  ]);
  expect((await (await place(second)).json()).orderId).toBe(orderId);
  const world = (await (await fetch(`${second.localUrl}/sandbox`)).json()).data;
  expect(Date.parse(world.now) - Date.parse(data.snapshot.time)).toBeLessThan(10_000);
  expect((await control(second, 'faults')).data.faults).toMatchObject([{ delay: '1ms' }]);
  await control(second, 'advance', { by: '11m' });
  expect(await stateOf(second, orderId)).toBe('EXPIRED / Batal');
});

it('accepts the JSON as a string, in the field snapshot, or with its id', async () => {
  await using server = await startSandbox();
  const { data: placed } = await control(server, 'create-order', { ...fixtureOrder });
  const { data } = await control(server, 'snapshot', {});
  for (const body of [
    { snapshot: JSON.stringify(data.snapshot, null, 2) },
    { snapshot: data.snapshot },
    data,
    { id: data.id },
  ]) {
    await control(server, 'reset', {});
    expect(await stateOf(server, placed.order_id)).toBe(404);
    expect((await control(server, 'restore', body)).status).toBe(200);
    expect(await stateOf(server, placed.order_id)).toBe('UNPAID / Pending');
  }
});

it('keeps the orders and the clock when a restore fails, and gives the reason', async () => {
  await using server = await startSandbox();
  const { data: placed } = await control(server, 'create-order', { ...fixtureOrder });
  const { data } = await control(server, 'snapshot', {});
  const { tables, ...rest } = data.snapshot;
  const restore = async (body: object) => {
    const { status, errors } = await control(server, 'restore', body);
    return [status, Object.values(errors ?? {}).flat()[0]];
  };
  expect(await restore({ ...rest, tables: { ...tables, orders: {} } })).toEqual([
    422,
    expect.stringContaining('its checksum does not match'),
  ]);
  expect(await restore({ snapshot: '{"format"' })).toEqual([422, expect.stringContaining('JSON')]);
  expect(await restore({ format: 'topup-kit/snapshot@2' })).toEqual([
    422,
    expect.stringContaining('newer version of Topup Kit'),
  ]);
  expect(await restore({ format: 'topup-kit/seed@1' })).toEqual([
    422,
    expect.stringContaining('its format must be topup-kit/snapshot@1'),
  ]);
  expect(await restore({})).toEqual([422, expect.stringContaining('required')]);
  expect(await stateOf(server, placed.order_id)).toBe('UNPAID / Pending');
});

it('rejects a body above the size limit for files', async () => {
  await using server = await startSandbox();
  const { status } = await control(server, 'restore', { snapshot: 'x'.repeat(16_000_001) });
  expect(status).toBe(413);
});

it("restores in the key's world, and leaves other worlds and all keys unchanged", async () => {
  await using server = await startSandbox();
  const { createKeyText } = await import('@topup-kit/core/engine');
  const { secureRandom } = await import('@topup-kit/core/platform');
  const key = createKeyText('test', secureRandom);
  const { data: placed } = await control(server, 'create-order', { ...fixtureOrder });
  const { data } = await control(server, 'snapshot', {});
  expect(JSON.stringify(data)).not.toContain(server.sandboxKey);
  await control(server, 'reset', {});
  await control(server, 'restore', data.snapshot, key);
  expect(await stateOf(server, placed.order_id, key)).toBe('UNPAID / Pending');
  expect(await stateOf(server, placed.order_id)).toBe(404);
});

it('sends later events to the receivers of the snapshot', async () => {
  const received: string[] = [];
  const receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push(JSON.parse(body).type);
    response.writeHead(204).end();
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`; // Safe: it listens on a port.
  try {
    await using first = await startSandbox();
    const { data: placed } = await control(first, 'create-order', { ...fixtureOrder });
    await control(first, 'add-webhook', { url });
    await control(first, 'fault-webhook', { fault: 'twice' });
    const { data } = await control(first, 'snapshot', {});
    await using second = await startSandbox();
    await control(second, 'restore', data.snapshot);
    expect((await control(second, 'webhooks')).data.receivers).toEqual([url]);
    await fetch(`${second.localUrl}/sandbox/orders/${placed.order_id}/pay`, { method: 'POST' });
    await control(second, 'settle-webhooks', {});
    expect(received).toEqual(['order.paid', 'order.paid', 'order.processing']);
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
});

it('uses the same JSON as a mock, in both directions', async () => {
  await using server = await startSandbox();
  const mock = createTopupMock();
  const ofMock = await mock.orders.create(fixtureOrder, 'PAID / Sukses');
  await control(server, 'restore', mock.snapshot());
  expect(await stateOf(server, ofMock.order_id)).toBe('PAID / Sukses');
  const { data: placed } = await control(server, 'create-order', { ...fixtureOrder });
  const { data } = await control(server, 'snapshot', {});
  mock.restore(data.snapshot);
  expect(await mock.orders.pay(placed.order_id)).toMatchObject({ payment_status: 'PAID' });
});

it('applies a seed completely or not at all', async () => {
  await using server = await startSandbox();
  const seed = {
    format: 'topup-kit/seed@1',
    clock: '2026-03-29T10:00:00+07:00',
    orders: [fixtureOrder, { ...fixtureOrder, state: 'REFUND / Gagal' }],
    faults: [{ error: 'UNAVAILABLE', operation: 'listGames', times: 1 }],
  };
  const { status, data } = await control(server, 'seed', seed);
  expect([status, data.orders]).toMatchObject([
    200,
    [{ payment_status: 'UNPAID' }, { payment_status: 'REFUND', buy_status: 'Gagal' }],
  ]);
  const world = (await (await fetch(`${server.localUrl}/sandbox`)).json()).data;
  expect(world.now).toMatch(/^2026-03-29T10:0/);

  const wrong = {
    ...seed,
    clock: '2027-01-01T00:00:00Z',
    orders: [fixtureOrder, { ...fixtureOrder, product_id: 1 }],
  };
  const { status: rejected, errors } = await control(server, 'seed', wrong);
  expect([rejected, errors['orders[1]']]).toEqual([422, [expect.stringContaining('PRODUCT_NOT_FOUND')]]);
  const { data: after } = await control(server, 'snapshot', {});
  expect(Object.keys(after.snapshot.tables.orders)).toHaveLength(2);
  expect(after.snapshot.time).toMatch(/^2026-03-29T03:0/);
});

it.each(['snapshot', 'restore', 'seed'])('explains that %s needs a memory store', async (name) => {
  await using folder = await temporaryFolder();
  await using server = await startSandbox({ TOPUP_STORE: `file:${folder.path}/shop.db` });
  const body = { snapshot: {}, restore: { id: 1 }, seed: { format: 'topup-kit/seed@1' } }[name];
  const { status, errors } = await control(server, name, body);
  expect([status, errors.store]).toEqual([422, [expect.stringContaining('--store memory:')]]);
});

it("doesn't let a slow receiver delay other receivers", async () => {
  const received: string[] = [];
  const slow = createServer(() => {});
  const quick = createServer((_request, response) => {
    received.push('event');
    response.writeHead(204).end();
  });
  const urlOf = async (receiver: typeof slow): Promise<string> => {
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`; // Safe: it listens on a port.
  };
  try {
    await using server = await startSandbox();
    await control(server, 'add-webhook', { url: await urlOf(slow) });
    await control(server, 'add-webhook', { url: await urlOf(quick) });
    await control(server, 'create-order', { ...fixtureOrder, state: 'PAID / Proses' });
    await vi.waitUntil(() => received.length === 3, { timeout: 10_000 });
  } finally {
    for (const receiver of [slow, quick]) {
      receiver.closeAllConnections();
      receiver.close();
    }
  }
});
