import { type AppSettings, defaultLimits } from '@topup-kit/core/app';
import { sandboxKey } from '@topup-kit/core/contract';
import { createWorldClock, issueKey } from '@topup-kit/core/engine';
import { secureRandom } from '@topup-kit/core/platform';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import { createMemoryStore, type Store } from '@topup-kit/core/store';
import { pino } from 'pino';
import { callbackGateway, callbackSupplier } from '../../../core/test/helpers/providers.ts';
import { receiveCallbacks } from '../../src/features/callbacks/feature.ts';
import { simulation } from '../../src/features/simulation.ts';
import { readConfig, sha256Hex } from '../../src/internal.ts';
import { createEventLog } from '../../src/observability/events.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { createService } from '../../src/service/service.ts';
import { fixtureOrder } from './sandbox.ts';

/** The text of every error of a store that is broken on purpose. */
export const brokenStore = 'BROKEN-STORE at /var/lib/topup.db';

export const controlKey = 'the-control-key-of-this-sandbox';
export const customerEmail = 'customer@example.com';
/** The secret in the cookie of an operator who is logged in to the console, and the token of their forms. */
export const consoleSecret = 'S'.repeat(43);
export const consoleToken = sha256Hex(`form ${consoleSecret}`);
/** The secrets of links to the console, each of which works once; `addLinks` of a service adds them. */
export const linkSecret = (number: number): string => String(number).padStart(43, 'L');

export const metricsToken = 'the-token-of-the-metrics-1234';

/** A request as a client writes it; the body is sent as it is, or as JSON. */
export interface Sent {
  method: string;
  path: string;
  key?: string | null;
  headers?: Record<string, string>;
  body?: BodyInit | object | undefined;
  address?: string;
  direct?: boolean;
}

export interface Got {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * The whole service of a server, with all its routes, providers that send callbacks, and a store in memory; without
 * sockets. Requests come from a stranger's address unless they say otherwise.
 */
export async function createWholeService({
  mode = 'sandbox',
  console = 'act',
  limits = {},
}: {
  mode?: 'sandbox' | 'live';
  console?: 'off' | 'read' | 'act';
  limits?: Partial<AppSettings['limits']>;
} = {}) {
  const memory = createMemoryStore();
  await memory.replaceCatalog(sandboxCatalog());
  let isBroken = false;
  /** The methods of the store that were called. */
  const calls: string[] = [];
  const store = new Proxy(memory, {
    get(target, name, receiver) {
      const method = Reflect.get(target, name, receiver);
      // The snapshots of a store in memory reach no disk, so they can't fail.
      if (typeof method !== 'function' || name === 'snapshot' || name === 'restore') return method;
      calls.push(String(name));
      return isBroken ? () => Promise.reject(new Error(brokenStore)) : method;
    },
  }) satisfies Store;
  const lines: string[] = [];
  const reports: unknown[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const { gateway } = callbackGateway({
    // Not that of a sandbox, whose references are unguessable.
    sandbox: false,
    createPayment: async ({ orderId }) => ({ reference: `R-${orderId}`, qrString: '00020101021226' }),
  });
  const config = readConfig({
    TOPUP_MODE: mode,
    TOPUP_CONSOLE: console,
    TOPUP_METRICS_TOKEN: metricsToken,
    ...(mode === 'live' && { TOPUP_STORE: 'file:./never-opened.db' }),
  });
  const metrics = createMetrics();
  const { app, dueWork } = createService(
    config,
    { gateway, supplier: callbackSupplier().supplier },
    {
      store,
      fixedKeys:
        mode === 'live'
          ? []
          : [
              { key: sandboxKey, directOnly: true },
              { key: controlKey, directOnly: false },
            ],
      settings: {
        ...config,
        publicUrl: 'https://shop.example',
        limits: { ...defaultLimits, readsPerMinute: 0, ordersPerMinute: 0, ...limits },
      },
      logger,
      metrics,
      whyUnready: async () => null,
      world: createWorldClock(Date.now),
      emit: createEventLog({ logger, metrics, noteCall: (call) => void reports.push(call) }),
      failure: () => null,
      simulation: mode === 'sandbox' ? await simulation.sandbox?.() : undefined,
      rooms: [receiveCallbacks({ config, logger, metrics, closing: new AbortController().signal })],
    },
  );
  const deps = { store: memory, hash: sha256Hex, random: secureRandom, realClock: Date.now };

  /** @throws TypeError when a Request takes not such a path, method or header. */
  function requestOf({ method, path, key, headers = {}, body }: Sent): Request {
    const isText = typeof body === 'string' || body instanceof Uint8Array;
    return new Request(`https://shop.example${path}`, {
      method,
      headers: {
        ...(key != null && { 'X-API-KEY': key }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isText ? (body as BodyInit) : JSON.stringify(body) }), // Safe: the value is a string or bytes.
    });
  }

  async function send(sent: Sent, request = requestOf(sent)): Promise<Got> {
    const { address = '203.0.113.7', direct = false } = sent;
    const response = await app.fetch(request, { address, direct });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  const keyOf = (accountId: string, over: Partial<Parameters<typeof issueKey>[1]> = {}) =>
    issueKey(deps, {
      ...{ mode: 'test', accountId, name: accountId, expiresAt: null },
      ...{ scopes: ['catalog:read', 'orders:read', 'orders:write'], ...over },
    });

  /** Adds a link to the console, which works for an hour. */
  const addLink = (hash: string): Promise<unknown> => {
    const now = Date.now();
    return memory.addConsoleLink({
      hash,
      operator: 'Dewi',
      createdAt: now,
      expiresAt: now + 3_600_000,
      usedAt: null,
    });
  };

  return {
    requestOf,
    send,
    /** Adds the links of the first secrets. */
    async addLinks(count: number): Promise<void> {
      for (let number = 0; number < count; number += 1) await addLink(sha256Hex(linkSecret(number)));
    },
    /** Opens the session of {@link consoleSecret}, unless it is open. */
    async logIn(): Promise<void> {
      const link = crypto.randomUUID();
      await addLink(link);
      const createdAt = Date.now();
      const session = {
        sessionId: link,
        hash: sha256Hex(consoleSecret),
        createdAt,
        expiresAt: createdAt + 3_600_000,
      };
      await memory.openConsoleSession(link, session);
    },
    store: memory,
    /** The methods of the store that some work calls, in their order. */
    async storeCalls(work: () => Promise<unknown>): Promise<string[]> {
      calls.length = 0;
      await work();
      return [...calls];
    },
    lines,
    metrics,
    dueWork,
    keyOf,
    /** Every method of the store fails until the returned value is disposed of. */
    breakStore(): Disposable {
      isBroken = true;
      return {
        [Symbol.dispose]() {
          isBroken = false;
        },
      };
    },
    /** Places an order; `reference` is that of its page. */
    async place(key: string): Promise<{ orderId: string; reference: string }> {
      const body = { ...fixtureOrder, promo_code: undefined, email: customerEmail };
      const placed = await send({ method: 'POST', path: '/api/order', key, body });
      if (placed.status !== 201) throw new Error(placed.text);
      const { orderId, data } = JSON.parse(placed.text);
      const [, reference = ''] = /\/pay\/(\w+)\/qr\.svg$/.exec(data.qr_url) ?? [];
      return { orderId, reference };
    },
  };
}

export type WholeService = Awaited<ReturnType<typeof createWholeService>>;
