import { rmSync } from 'node:fs';
import { afterAll, inject, vi } from 'vitest';
import { home } from '../packages/cli/test/helpers/home.ts';
import { quiet } from '../packages/server/src/edge/close.ts';
import { forbidOutside } from './outside.ts';

if (inject('quick')) forbidOutside();

const { Request, Response } = globalThis;

/** Where Node keeps what its `fetch` sends with, once `Request` was read. */
const dispatcherKey = Symbol.for('undici.globalDispatcher.1');

/** Milliseconds for which a connection is kept for the next request. */
const idleMs = 10;

// A server that stops waits a while for requests on connections that clients keep: after almost every test, for nothing.
const dispatcher: unknown = Reflect.get(globalThis, dispatcherKey);
if (dispatcher instanceof Object) {
  const timeouts = { keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs };
  Reflect.set(globalThis, dispatcherKey, Reflect.construct(dispatcher.constructor, [timeouts]));
}

// And for clients that are just connecting: a test has none when it stops a server.
quiet.ms = idleMs;

// Files share a process: what one left behind, the next must not find.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  // `@hono/node-server`, which the examples use, replaces them.
  Object.assign(globalThis, { Request, Response });
  rmSync(home, { recursive: true, force: true });
});
