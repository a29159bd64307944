import { Agent, request } from 'node:http';
import { sandboxKey } from '@topup-kit/core/contract';
import { expect, it } from 'vitest';
import { sendRaw } from './helpers/raw.ts';
import { fixtureOrder, startSandbox, temporaryFolder } from './helpers/sandbox.ts';

const head = (path: string, headers: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${sandboxKey}\r\nContent-Type: application/json\r\n${headers}\r\n`;

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

it.each(['/api/order', '/sandbox/advance'])(
  'responds to an oversized chunked body at %s with a 413 that always arrives and closes the connection',
  async (path) => {
    await using server = await startSandbox();
    const pieces = Array.from({ length: 64 }, () => chunk(' '.repeat(16_384)));
    for (let round = 0; round < 5; round += 1) {
      const { text, statuses, end } = await sendRaw(
        server.localUrl,
        [head(path, 'Transfer-Encoding: chunked\r\n'), ...pieces, '0\r\n\r\n'],
        { pauseMs: 0, waitMs: 5_000 },
      );
      expect({ statuses, end }).toEqual({ statuses: ['HTTP/1.1 413'], end: 'closed' });
      expect(text).toMatch(/^connection: close\r$/im);
      expect(text).toMatch(/^x-error-code: PAYLOAD_TOO_LARGE\r$/im);
    }
  },
);

it.each(['/api/order', '/sandbox/advance'])(
  'responds to an oversized Content-Length at %s with a 413 during the upload',
  async (path) => {
    await using server = await startSandbox();
    const size = 8 * 1024 * 1024;
    const { text, statuses, end } = await sendRaw(
      server.localUrl,
      head(path, `Content-Length: ${size}\r\n`) + ' '.repeat(size),
      { waitMs: 5_000 },
    );
    expect({ statuses, end }).toEqual({ statuses: ['HTTP/1.1 413'], end: 'closed' });
    expect(text).toMatch(/^connection: close\r$/im);
  },
);

/** Sends a request over a pooled connection; gives its status, or the error of the connection. */
const send = (agent: Agent, url: string, chunks: string[]): Promise<number | string> =>
  new Promise((resolve) => {
    const headers = { 'X-API-KEY': sandboxKey, 'Content-Type': 'application/json' };
    const sent = request(url, { agent, method: 'POST', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', ({ message }) => resolve(message));
    for (const one of chunks) sent.write(one);
    sent.end();
  });

it("responds to a pooled client's next request after a 413", async () => {
  await using server = await startSandbox();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const outcomes: (number | string)[] = [];
  for (const pauseMs of [0, 1, 50, 550]) {
    outcomes.push(await send(agent, `${server.baseUrl}/order`, Array(12).fill(' '.repeat(8_192))));
    await new Promise((done) => setTimeout(done, pauseMs));
    outcomes.push(await send(agent, `${server.baseUrl}/order`, [JSON.stringify(fixtureOrder)]));
  }
  agent.destroy();
  expect(outcomes).toEqual(Array.from({ length: 4 }, () => [413, 201]).flat());
});

it('treats an encoded NUL in a path as part of an unknown name, and keeps the connection', async () => {
  await using folder = await temporaryFolder();
  await using server = await startSandbox({ TOPUP_STORE: `file:${folder.path}/topup.db` });
  const headers = { 'X-API-KEY': sandboxKey };
  const paths = [
    '/invoice/%00',
    '/invoice/%00/payment-status',
    '/invoice/INV-1%00',
    '/games/%00',
    '/order/%00',
  ];
  const statusOf = (path: string) =>
    fetch(server.baseUrl + path, { headers }).then(
      async (response) => {
        await response.text();
        return response.status;
      },
      (error: unknown) => String(error),
    );
  // Together, but not so many that a busy server rejects some.
  const together = [...paths, ...paths, ...paths, ...paths];
  for (let round = 0; round < 15; round += 1)
    expect(await Promise.all(together.map(statusOf))).toEqual(together.map(() => 404));
});
