import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { ConfigError } from '../src/config/variable.ts';
import { createListeners } from '../src/edge/listen.ts';

const many = 40;

/** Connects many clients from a thread, while this one does something else. */
const connectMany = `
  const { connect } = require('node:net');
  const { workerData: { port, many, connected } } = require('node:worker_threads');
  const sockets = Array.from({ length: many }, () => connect(port, '127.0.0.1'));
  let count = 0;
  for (const socket of sockets) socket.on('connect', () => {
    count += 1;
    if (count === many) Atomics.notify(connected, 0, Atomics.store(connected, 0, 1));
  }).on('error', () => {});
`;

// Where the system can't share a port, or Node is too old for it, there is one listener.
const [major = 0] = process.versions.node.split('.').map(Number);
const sharesPorts = process.platform === 'linux' && major > 22;

it('accepts many clients in one turn of the event loop', async () => {
  const server = createServer();
  const listeners = createListeners(server);
  const url = new URL(await listeners.open('127.0.0.1', 0));
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    socket.destroy();
  });
  const connected = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(connectMany, { eval: true, workerData: { port: url.port, many, connected } });
  await once(worker, 'online');
  const before = accepted;
  Atomics.wait(connected, 0, 0, 4_000);
  await setImmediate();
  await setImmediate();
  // Two turns: without several listeners, two clients.
  expect(accepted - before).toBeGreaterThan(sharesPorts ? 10 : 0);
  await worker.terminate();
  await listeners.close();
});

it('rejects a port that another server has', async () => {
  const first = createListeners(createServer());
  const { port } = new URL(await first.open('127.0.0.1', 0));
  const second = createListeners(createServer());
  await expect(second.open('127.0.0.1', Number(port))).rejects.toThrow(ConfigError);
  await expect(second.open('127.0.0.1', Number(port))).rejects.toThrow('is already taken');
  await first.close();
  const again = createListeners(createServer());
  expect(new URL(await again.open('127.0.0.1', Number(port))).port).toBe(port);
  await again.close();
});

it('closes only when all connections of all listeners have ended', async () => {
  const server = createServer((_request, response) => response.end());
  const listeners = createListeners(server);
  const { port } = new URL(await listeners.open('127.0.0.1', 0));
  const clients = Array.from({ length: many }, () => connect(Number(port), '127.0.0.1'));
  await Promise.all(clients.map((client) => once(client, 'connect')));
  let isClosed = false;
  const closed = listeners.close().then(() => {
    isClosed = true;
  });
  for (const client of clients.slice(1)) client.destroy();
  await setImmediate();
  expect(isClosed).toBe(false);
  clients[0]?.destroy();
  await closed;
});

it('rejects a file descriptor that is not a listening socket of systemd', async () => {
  const file = openSync(process.execPath, 'r');
  onTestFinished(() => closeSync(file));
  const listeners = createListeners(createServer());
  await expect(listeners.inherit([file])).rejects.toThrow(ConfigError);
});
