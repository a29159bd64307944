import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createProviderHttp, isSameText } from '../src/http.ts';

const signal = new AbortController().signal;

async function httpTo(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // Safe: it listens on a port.
  return createProviderHttp({
    title: 'Example',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    secrets: ['s3cret'],
  });
}

it('returns a response of any status', async () => {
  const http = await httpTo((request, response) => {
    response.writeHead(422).end(JSON.stringify({ method: request.method, url: request.url }));
  });
  expect(await http.send({ method: 'GET', path: 'status', query: { id: 'a b' }, signal })).toEqual({
    status: 422,
    body: { method: 'GET', url: '/v1/status?id=a+b' },
  });
});

it('sends a form, and JSON', async () => {
  const http = await httpTo(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.end(JSON.stringify([request.headers['content-type'], body]));
  });
  const form = await http.send({ method: 'POST', path: 'buy', form: { type: 'order', no: '1&2' }, signal });
  expect(form.body).toEqual(['application/x-www-form-urlencoded;charset=UTF-8', 'type=order&no=1%262']);
  const json = await http.send({ method: 'POST', path: 'buy', json: { no: 1 }, signal });
  expect(json.body).toEqual(['application/json', '{"no":1}']);
});

it('never repeats a request, follows no redirect, and reports only that there was no JSON', async () => {
  let requests = 0;
  const http = await httpTo((_request, response) => {
    requests += 1;
    response.writeHead(302, { Location: '/elsewhere?key=s3cret' }).end('<html>s3cret');
  });
  await expect(http.send({ method: 'POST', path: 'buy', json: {}, signal })).rejects.toThrow(
    /^Example: POST \/buy got a response with status 302 that is not JSON\.$/,
  );
  expect(requests).toBe(1);
});

it.each(['GET', 'POST'] as const)(
  'never repeats a %s, neither without a response nor after a 503',
  async (method) => {
    let requests = 0;
    const http = await httpTo((request, response) => {
      requests += 1;
      if (requests === 1) request.socket.destroy();
      else response.writeHead(503, { 'Retry-After': '0' }).end('{}');
    });
    const send = () => http.send({ method, path: 'buy', ...(method === 'POST' && { json: {} }), signal });
    await expect(send()).rejects.toThrow('because the connection failed');
    expect(requests).toBe(1);
    expect(await send()).toMatchObject({ status: 503 });
    expect(requests).toBe(2);
  },
);

it('removes a secret from an error before shortening the text, so that no part remains', async () => {
  const http = await httpTo(() => {});
  for (let before = 280; before < 300; before += 1)
    expect(http.error(`${'x'.repeat(before)}s3cret`).message).not.toContain('s3');
});

it('stops reading a response that is too long', async () => {
  const http = await httpTo((_request, response) => {
    response.end('x'.repeat(5_000));
  });
  await expect(http.send({ method: 'GET', path: 'list', maxBytes: 4_999, signal })).rejects.toThrow(
    'Example: GET /list got a response of more than 4999 bytes.',
  );
});

it('reports a missing or late response, without the address', async () => {
  const closed = await httpTo((request) => void request.socket.destroy());
  const request = { method: 'GET', path: 'x', query: { key: 's3cret' } } as const;
  await expect(closed.send({ ...request, signal })).rejects.toThrow(
    /^Example: GET \/x got no response, because the connection failed\.$/,
  );
  const silent = await httpTo(() => {});
  await expect(silent.send({ ...request, signal: AbortSignal.timeout(50) })).rejects.toThrow(
    /^Example: GET \/x did not respond in time\.$/,
  );
});

it('distinguishes requests that may have had an effect from other requests', async () => {
  const closed = await httpTo((request) => void request.socket.destroy());
  const cut = await httpTo((_request, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('{');
    setTimeout(() => response.destroy(), 50);
  });
  const buy = { method: 'POST', path: 'buy', json: {} } as const;
  for (const http of [closed, cut])
    await expect(http.send({ ...buy, signal })).rejects.toThrow(
      /^Example: POST \/buy got no response, because the connection failed\. The request may have been carried out\.$/,
    );
  const silent = await httpTo(() => {});
  await expect(silent.send({ ...buy, signal: AbortSignal.timeout(50) })).rejects.toThrow(
    /^Example: POST \/buy did not respond in time\. The request may have been carried out\.$/,
  );
  const nobody = createProviderHttp({ title: 'Example', baseUrl: 'http://nobody.invalid', secrets: [] });
  await expect(nobody.send({ ...buy, signal })).rejects.toThrow(
    /^Example: POST \/buy could not be reached \((ENOTFOUND|EAI_AGAIN)\)\.$/,
  );
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  const { port } = gone.address() as AddressInfo; // Safe: it listens on a port.
  await new Promise((resolve) => gone.close(resolve));
  const refused = createProviderHttp({ title: 'Example', baseUrl: `http://127.0.0.1:${port}`, secrets: [] });
  await expect(refused.send({ ...buy, signal })).rejects.toThrow(
    /^Example: POST \/buy could not be reached \(ECONNREFUSED\)\.$/,
  );
});

it('stops in time if the body never ends', async () => {
  const http = await httpTo((_request, response) => {
    response.write('{');
  });
  await expect(http.send({ method: 'GET', path: 'x', signal: AbortSignal.timeout(100) })).rejects.toThrow(
    'Example: GET /x did not respond in time.',
  );
});

it('removes secrets from error texts', async () => {
  const http = await httpTo(() => {});
  expect(http.error('the key s3cret is wrong').message).toBe('Example: the key [secret] is wrong');
  expect(http.error('x'.repeat(1_000)).message.length).toBeLessThan(400);
});

it('compares texts of any length', () => {
  expect(isSameText('abc', 'abc')).toBe(true);
  expect(isSameText('abc', 'abd')).toBe(false);
  expect(isSameText('abc', 'abcd')).toBe(false);
  const long = 'x'.repeat(200);
  expect(isSameText(`${long}a`, `${long}b`)).toBe(false);
  expect(isSameText(`a${long}`, `b${long}`)).toBe(false);
});
