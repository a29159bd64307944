import { expect, it } from 'vitest';
import type { RunningServer } from '../src/index.ts';
import { fixtureOrder, startSandbox } from './helpers/sandbox.ts';

const control = async (server: RunningServer, name: string, body?: object) => {
  const response = await fetch(`${server.localUrl}/sandbox/${name}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return (await response.json()).data;
};

const order = (server: RunningServer, key: string) =>
  fetch(`${server.baseUrl}/order`, {
    method: 'POST',
    headers: {
      'X-API-KEY': server.sandboxKey ?? '',
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    },
    body: JSON.stringify(fixtureOrder),
  });

it.each(['cut', 'cut-after'])('closes the socket without a response: %s', async (connection) => {
  await using server = await startSandbox();
  await control(server, 'add-fault', { connection, operation: 'createOrder', times: 1 });
  await expect(order(server, 'k1')).rejects.toMatchObject({ cause: { code: 'UND_ERR_SOCKET' } });
  const again = await order(server, 'k1');
  expect([again.status, again.headers.get('Idempotency-Replayed')]).toEqual([
    201,
    connection === 'cut' ? null : 'true',
  ]);
  expect((await control(server, 'faults')).faults).toMatchObject([{ struck: 1, active: false }]);
});

it('sends the head and half of the body for half-body, and then closes the socket', async () => {
  await using server = await startSandbox();
  await control(server, 'add-fault', { connection: 'half-body', times: 1 });
  const response = await order(server, 'k1');
  expect(response.status).toBe(201);
  const length = Number(response.headers.get('Content-Length'));
  let received = 0;
  const reading = (async () => {
    for await (const chunk of response.body ?? []) received += chunk.length;
  })();
  await expect(reading).rejects.toThrow('terminated');
  expect(received).toBe(Math.floor(length / 2));
  const again = await order(server, 'k1');
  expect([again.status, again.headers.get('Idempotency-Replayed')]).toEqual([201, 'true']);
});

it('cuts the list of games for half-body, compressed or not', async () => {
  await using server = await startSandbox();
  await control(server, 'add-fault', { connection: 'half-body' });
  for (const encoding of ['identity', 'br']) {
    const response = await fetch(`${server.baseUrl}/games`, {
      headers: { 'X-API-KEY': server.sandboxKey ?? '', 'Accept-Encoding': encoding },
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  }
});

it("sends a proxy's HTML page for html", async () => {
  await using server = await startSandbox();
  await control(server, 'add-fault', { connection: 'html' });
  const response = await order(server, 'k1');
  expect([response.status, response.headers.get('Content-Type')]).toEqual([502, 'text/html']);
});

it('keeps separate faults in each world', async () => {
  const { createKeyText, secureRandom } = await import('../src/index.ts');
  await using server = await startSandbox();
  await control(server, 'add-fault', { error: 'UNAVAILABLE' });
  const ask = (key: string) => fetch(`${server.baseUrl}/games`, { headers: { 'X-API-KEY': key } });
  expect((await ask(server.sandboxKey ?? '')).status).toBe(503);
  expect((await ask(createKeyText('test', secureRandom))).status).toBe(200);
});
