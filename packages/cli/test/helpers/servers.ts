import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSimulatedGateway } from '@topup-kit/core/gateway';
import { secureRandom } from '@topup-kit/core/platform';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { createSimulatedSupplier } from '@topup-kit/core/supplier';
import { type RunningServer, readConfig, type ServerOverrides, startServer } from '@topup-kit/server';
import { afterAll, beforeAll } from 'vitest';
import { fixtureOrder } from './order.ts';
import { type Ran, run } from './run.ts';

/** A real sandbox server on a free port. */
export const startSandbox = (store = 'memory:', parts: ServerOverrides = {}): Promise<RunningServer> =>
  startServer(readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: store, PORT: '0' }), parts);

/** A sandbox for all tests of a file. */
export function ownSandbox() {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startSandbox();
  });
  afterAll(() => server.close());
  const at = (...args: string[]): string[] => [...args, '--base-url', server.baseUrl];
  return {
    get baseUrl() {
      return server.baseUrl;
    },
    get sandboxKey() {
      return server.sandboxKey;
    },
    /** A command line that asks it. */
    at,
    asked: (...args: string[]): Promise<Ran> => run(at(...args)),
    /** Places the order of the interface's example, or one that differs from it; returns its id. */
    place: async (...more: string[]): Promise<string> =>
      (await run(at(...fixtureOrder, ...more, '--quiet'))).stdout.trim(),
  };
}

/** A real live server on a free port, with the sandbox's catalogue; its files are in a folder. */
export async function startLive(folder: string): Promise<RunningServer> {
  const catalog = join(folder, 'catalog.json');
  await writeFile(catalog, JSON.stringify(sandboxCatalogFile));
  const pageUrl = (reference: string): string => `https://gateway.example/${reference}`;
  const gateway = createSimulatedGateway({ clock: Date.now, random: secureRandom, pageUrl });
  const supplier = createSimulatedSupplier({ clock: Date.now });
  return startServer(
    readConfig({
      TOPUP_STORE: `file:${join(folder, 'live.db')}`,
      TOPUP_CATALOG: catalog,
      TOPUP_LOG_LEVEL: 'silent',
      PORT: '0',
    }),
    {
      gateway: { ...gateway, name: 'live-gateway', sandbox: false },
      supplier: { ...supplier, name: 'live-supplier', sandbox: false },
    },
  );
}

/** A service with the given responses, and the requests that it received. */
export async function startService(answer: RequestListener) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // Safe: it listens on a port, not on a pipe.
  return {
    asked,
    baseUrl: `http://127.0.0.1:${port}/api`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** A base URL at which nothing listens. */
export async function closedBaseUrl(): Promise<string> {
  await using service = await startService(() => {});
  return service.baseUrl;
}

export const startJsonService = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  startService((_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  });

/** A service that records which key it received. */
export const startKeyTeller = (keys: unknown[]) =>
  startService((request, response) => {
    keys.push(request.headers['x-api-key']);
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end('{"success":true,"games":[],"populerGames":[]}');
  });
