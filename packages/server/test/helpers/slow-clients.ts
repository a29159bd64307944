import { connect } from 'node:net';
import { expect } from 'vitest';
import type { RunningServer } from '../../src/index.ts';

/** Sends the first bytes and then one more each half second, until the server closes the connection or the time is over. */
const sendSlowly = (
  url: string,
  first: string,
  limitMs: number,
): Promise<{ closedAfterMs: number; text: string }> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const begin = performance.now();
    const socket = connect(Number(port), hostname);
    let text = '';
    const drip = setInterval(() => first !== '' && socket.write('a'), 500);
    const end = (): void => {
      clearInterval(drip);
      clearTimeout(timer);
      socket.destroy();
      resolve({ closedAfterMs: performance.now() - begin, text });
    };
    const timer = setTimeout(end, limitMs + 1_000);
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('end', end);
    socket.on('close', end);
    if (first !== '') socket.write(first);
  });

const head = 'POST /api/order HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

/** Expects that slow clients of several kinds are gone within `limitMs`, and hear why. */
export async function expectSlowClientsGone(server: RunningServer, limitMs: number): Promise<void> {
  const key = `X-API-KEY: ${server.sandboxKey}\r\n`;
  const slow = await Promise.all(
    [
      'GET /api/ga',
      `${head}X-Slow: `,
      `${head}${key}Content-Length: 60000\r\n\r\n{"id":"`,
      `${head}${key}Transfer-Encoding: chunked\r\n\r\n1000\r\n{"id":"`,
      '',
    ].map((first) => sendSlowly(server.localUrl, first, limitMs)),
  );
  for (const { closedAfterMs } of slow) expect(closedAfterMs).toBeLessThan(limitMs);
  // Who sent nothing at all hears nothing.
  for (const { text } of slow.slice(0, -1)) expect(text).toMatch(/^HTTP\/1\.1 408 /);
}
