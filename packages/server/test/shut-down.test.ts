import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { seededRandom } from '@topup-kit/core/platform';
import { expect, it } from 'vitest';
import { shutDownUnderLoad } from '../../../soak/shut-down/run.ts';
import { sha256Hex } from '../src/internal.ts';
import { startSandbox, temporaryFolder } from './helpers/sandbox.ts';
import { startServerProcess } from './helpers/server-process.ts';

it('cuts no request when it stops under load, and ends within 5 seconds', async () => {
  await using folder = await temporaryFolder();
  await shutDownUnderLoad(startServerProcess, {
    rounds: 2,
    folder: folder.path,
    random: seededRandom(sha256Hex, '14'),
  });
}, 30_000);

it('responds to a request in flight on an idle connection, and then closes the connection', async () => {
  const server = await startSandbox();
  const socket = connect(Number(new URL(server.localUrl).port), '127.0.0.1');
  const health = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
  socket.setEncoding('latin1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(health);
  await expect.poll(() => text).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"status":"ok"\}$/);
  text = '';
  const closed = server.close();
  await new Promise((done) => setTimeout(done, 50));
  socket.write(health);
  await new Promise((done) => socket.once('end', done));
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(text).toMatch(/^connection: close\r$/im);
  await closed;
});

it('responds to a request whose head is still arriving', async () => {
  const server = await startSandbox();
  const socket = connect(Number(new URL(server.localUrl).port), '127.0.0.1');
  await new Promise((done) => socket.once('connect', done));
  const closed = server.close();
  socket.write('GET /health HTTP/1.1\r\n');
  await new Promise((done) => setTimeout(done, 400));
  socket.write('Host: localhost\r\n\r\n');
  expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1\.1 200 /);
  await closed;
});

it('uses no processor time while it waits for the last clients before closing its port', async () => {
  const server = await startSandbox();
  const turns = (): number => performance.nodeTiming.uvMetricsInfo.loopCount;
  const before = turns();
  await server.close();
  expect(turns() - before).toBeLessThan(500);
});

it('stops despite a client that keeps its idle connection open', async () => {
  const server = await startSandbox();
  const socket = connect({
    port: Number(new URL(server.localUrl).port),
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  socket.on('error', () => undefined).resume();
  await new Promise((done) => socket.once('connect', done));
  const begun = performance.now();
  await server.close();
  expect(performance.now() - begun).toBeLessThan(5_000);
  socket.destroy();
});
