import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { describe, expect, it } from 'vitest';
import { hurriedClock } from '../../../test/hurry.ts';
import { ConfigError } from '../src/config/variable.ts';
import { createListeners, holdRequests } from '../src/edge/listen.ts';
import { inspectStore, openStore, readConfig, startServer } from '../src/index.ts';
import { liveParts, livePartsOn } from './helpers/live-parts.ts';
import { issueLiveKey } from './helpers/live-shop.ts';
import { postOrder } from './helpers/orders.ts';
import { startSandbox, temporaryFolder } from './helpers/sandbox.ts';

describe('a server in live mode', () => {
  it('rejects simulated parts, and suggests a replacement for each part', async () => {
    const starting = startServer(readConfig({ TOPUP_STORE: 'memory:', PORT: '0' }));
    await expect(starting).rejects.toThrow(
      /^.*payment gateway: set TOPUP_GATEWAY.*supplier: set TOPUP_SUPPLIER.*TOPUP_STORE.*--sandbox.*$/,
    );
  });

  it.each(['live', 'sandbox'])(
    'rejects, as %s, a gateway and a supplier with the same name, in one line',
    async (mode) => {
      await using folder = await temporaryFolder();
      const path = join(folder.path, 'topup.db');
      const config = readConfig({ TOPUP_MODE: mode, TOPUP_STORE: `file:${path}`, PORT: '0' });
      const parts = { ...liveParts, supplier: { ...liveParts.supplier, name: liveParts.gateway.name } };
      await expect(startServer(config, parts)).rejects.toThrow(
        /^The payment gateway and the supplier are both named "real": give one of the adapters another name\.$/,
      );
      expect(await readdir(folder.path)).toEqual([]);
    },
  );

  it('rejects two suppliers with the same name, and an invalid supplier', async () => {
    const start = (otherSuppliers: (typeof liveParts.supplier)[]) =>
      startServer(readConfig({ TOPUP_STORE: 'file:./never.db', PORT: '0' }), {
        ...liveParts,
        otherSuppliers,
      });
    await expect(start([liveParts.supplier])).rejects.toThrow(
      /^Two suppliers are both named "real-supplier": give one of the adapters another name\.$/,
    );
    // Safe: the test tries an invalid value on purpose.
    await expect(start([{ name: 'other' } as typeof liveParts.supplier])).rejects.toThrow(
      /^startServer can't use an adapter: otherSuppliers\.0\.sandbox must be true or false\./,
    );
    await expect(start([{ ...liveParts.supplier, name: 'other', sandbox: true }])).rejects.toThrow(
      /^Live mode takes real money, so it needs a real supplier/,
    );
  });

  const { gateway, supplier } = liveParts;
  const remote = { ...gateway, kind: 'remote', findPayment: () => {} };
  const name = 'lower-case letters, digits and hyphens, because it is part of the callback URL';
  it.each<[string, object]>([
    [
      "gateway.kind must be 'remote' or 'local'; supplier.sandbox must be true or false",
      { gateway: { name: 'g' }, supplier: { name: 's' } },
    ],
    [`gateway.name must be ${name}`, { gateway: { ...gateway, name: 'a b' }, supplier }],
    [`supplier.name must be ${name}`, { gateway, supplier: { ...supplier, name: '../x' } }],
    [
      'gateway.createPayment must be a function',
      { gateway: { ...gateway, createPayment: undefined }, supplier },
    ],
    ['gateway.findPayment must be a function', { gateway: { ...remote, findPayment: 1 }, supplier }],
    ['gateway.checkPayment must be a function', { gateway: { ...remote, checkPayment: {} }, supplier }],
    [
      'gateway.callbacks.respond must be a function',
      { gateway: { ...remote, callbacks: { read() {} } }, supplier },
    ],
    [
      "supplier.abilities.findBy must be 'reference', 'supplierId' or 'none'",
      { gateway, supplier: { ...supplier, abilities: {} } },
    ],
    ['supplier.submit must be a function', { gateway, supplier: { ...supplier, submit: null } }],
  ])('explains the problem with an adapter: %s', async (problem, parts) => {
    await using folder = await temporaryFolder();
    const config = readConfig({ TOPUP_STORE: `file:${join(folder.path, 'topup.db')}`, PORT: '0' });
    await expect(startServer(config, parts)).rejects.toMatchObject({
      name: 'ConfigError',
      message: `startServer can't use an adapter: ${problem}. docs/adapters.md describes them.`,
    });
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('accepts adapters that are instances of a class', async () => {
    class Gateway {
      readonly kind = 'remote';
      readonly name = 'own-gateway';
      readonly sandbox = false;
      createPayment = async () => ({ reference: 'R', url: 'https://gateway.example/pay' });
      async findPayment() {
        return { state: 'absent' } as const;
      }
    }
    await using folder = await temporaryFolder();
    const catalog = join(folder.path, 'catalog.json');
    await writeFile(catalog, JSON.stringify(sandboxCatalogFile));
    const settings = { TOPUP_CATALOG: catalog, TOPUP_LOG_LEVEL: 'silent', PORT: '0' };
    const config = readConfig({ TOPUP_STORE: `file:${join(folder.path, 'topup.db')}`, ...settings });
    await using server = await startServer(config, { gateway: new Gateway(), supplier });
    expect(server.seeded).toBe(true);
  });

  it("doesn't start without a catalogue, and creates no store", async () => {
    await using folder = await temporaryFolder();
    const store = `file:${join(folder.path, 'topup.db')}`;
    const bad = join(folder.path, 'bad.json');
    await writeFile(bad, '{}');
    const starting = (settings: object) =>
      startServer(readConfig({ TOPUP_STORE: store, PORT: '0', ...settings }), liveParts);
    await expect(starting({})).rejects.toMatchObject({
      ...{ setting: 'TOPUP_CATALOG', message: expect.stringContaining('set TOPUP_CATALOG') },
    });
    await expect(starting({ TOPUP_CATALOG: 'nope.json' })).rejects.toThrow("nope.json can't be read");
    await expect(starting({ TOPUP_CATALOG: bad })).rejects.toThrow('bad.json breaks');
    expect(await readdir(folder.path)).toEqual(['bad.json']);
  });

  it('starts with a real gateway and a catalogue, and rejects the sandbox key', async () => {
    await using folder = await temporaryFolder();
    const catalog = join(folder.path, 'catalog.json');
    await writeFile(catalog, JSON.stringify(sandboxCatalogFile));
    const config = readConfig({
      TOPUP_STORE: `file:${join(folder.path, 'topup.db')}`,
      TOPUP_CATALOG: catalog,
      TOPUP_API_KEY: 'my-own-key',
      TOPUP_LOG_LEVEL: 'silent',
      PORT: '0',
    });
    await using server = await startServer(config, liveParts);
    expect(server.sandboxKey).toBeNull();
    for (const key of ['tk_test_sandboxsandboxsandboxsandbox002zG1mv', 'my-own-key']) {
      const response = await fetch(`${server.baseUrl}/games`, { headers: { 'X-API-KEY': key } });
      expect(response.status).toBe(401);
    }
  });
});

describe('a live server with a payment event', () => {
  it('delivers an order after its payment event', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'topup.db');
    const catalog = join(folder.path, 'catalog.json');
    await writeFile(catalog, JSON.stringify(sandboxCatalogFile));
    const config = readConfig({
      TOPUP_STORE: `file:${path}`,
      TOPUP_CATALOG: catalog,
      TOPUP_LOG_LEVEL: 'silent',
      PORT: '0',
    });
    const realClock = hurriedClock();
    await using server = await startServer(config, { ...livePartsOn(realClock), realClock });
    const key = await issueLiveKey(path);
    const headers = { 'X-API-KEY': key, 'Content-Type': 'application/json' };
    const created = await postOrder(server.baseUrl, {}, { 'X-API-KEY': key });
    const { data, orderId } = await created.json();
    const event = {
      reference: data.payment_reference,
      status: 'paid',
      amount: 40_000,
      at: Date.now(),
    } as const;
    await server.handlePaymentEvent(event);
    const status = async () =>
      (await (await fetch(`${server.baseUrl}/invoice/${orderId}/payment-status`, { headers })).json()).data;
    await expect.poll(async () => (await status()).buy_status, { timeout: 10_000 }).toBe('Sukses');
    expect(await server.handlePaymentEvent({ ...event, reference: 'nobody' })).toBeNull();
  }, 20_000);
});

describe('a live server whose supplier reports its balance', () => {
  it("stores the supplier's balance with its limit, for alerts", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'topup.db');
    const catalog = join(folder.path, 'catalog.json');
    await writeFile(catalog, JSON.stringify(sandboxCatalogFile));
    const settings = { TOPUP_CATALOG: catalog, TOPUP_LOG_LEVEL: 'silent', TOPUP_BALANCE_ALERT: '70000' };
    const config = readConfig({ TOPUP_STORE: `file:${path}`, PORT: '0', ...settings });
    const supplier = { ...liveParts.supplier, readBalance: async () => 69_999 };
    const server = await startServer(config, { ...liveParts, supplier });
    const store = openStore({ kind: 'file', path });
    await expect
      .poll(() => store.readSupplierBalances())
      .toMatchObject([{ supplier: 'real-supplier', balance: 69_999, alertBelow: 70_000 }]);
    await store.close();
    await server.close();
    expect((await inspectStore(path)).alerts).toMatchObject([
      { kind: 'low-balance', names: ['real-supplier'] },
    ]);
  });
});

describe('a store that a sandbox served', () => {
  it("rejects a sandbox's store in live mode, so that simulated and real orders never mix", async () => {
    await using folder = await temporaryFolder();
    const store = `file:${join(folder.path, 'topup.db')}`;
    await (await startSandbox({ TOPUP_STORE: store })).close();
    const config = readConfig({ TOPUP_STORE: store, PORT: '0', TOPUP_LOG_LEVEL: 'silent' });
    await expect(startServer(config, liveParts)).rejects.toThrow(
      "The store belongs to a sandbox server and can't serve live mode: set TOPUP_STORE (or --store) to another file.",
    );
  });
});

describe('a server whose port is not available', () => {
  it('reports an unavailable port with its setting, and creates no store', async () => {
    await using folder = await temporaryFolder();
    await using first = await startSandbox();
    const port = new URL(first.baseUrl).port;
    const store = `file:${join(folder.path, 'topup.db')}`;
    await expect(startSandbox({ PORT: port, TOPUP_STORE: store })).rejects.toThrow(
      `127.0.0.1:${port} is already taken by another program; stop it, or set PORT (or --port) to a free port.`,
    );
    expect(await readdir(folder.path)).toEqual([]);
    await using second = await startSandbox({ TOPUP_STORE: store });
    expect(second.publicUrl).toMatch(/^http:/);
  });

  it('names an address that is not on this machine', async () => {
    await expect(startSandbox({ HOST: '192.0.2.1' })).rejects.toThrow(
      /192\.0\.2\.1:0 is not an address of this/,
    );
  });
});

describe('a request that arrives before the server can handle it', () => {
  it('holds an early request, and then responds', async () => {
    const held = holdRequests();
    const server = createServer(held.serve);
    const url = await createListeners(server).open('127.0.0.1', 0);
    const early = fetch(url);
    await once(server, 'request');
    held.release((_request, response) => response.end('handled'));
    expect(await (await early).text()).toBe('handled');
    server.close();
  });

  it('closes the connection of an early request if the start fails', async () => {
    const held = holdRequests();
    const server = createServer(held.serve);
    const url = await createListeners(server).open('127.0.0.1', 0);
    const early = fetch(url);
    await once(server, 'request');
    held[Symbol.dispose]();
    await expect(early).rejects.toThrow('fetch failed');
    server.close();
  });
});

describe('a second server on the same file', () => {
  it('rejects a second server on the same file', async () => {
    await using folder = await temporaryFolder();
    const store = `file:${join(folder.path, 'topup.db')}`;
    await using _first = await startSandbox({ TOPUP_STORE: store });
    await expect(startSandbox({ TOPUP_STORE: store })).rejects.toThrow(/already serve/);
  });
});

describe('a start that fails', () => {
  it('releases the store for the next server after a failed start', async () => {
    await using folder = await temporaryFolder();
    const store = `file:${join(folder.path, 'topup.db')}`;
    const catalog = join(folder.path, 'catalog.json');
    await writeFile(catalog, 'no JSON');
    // An empty store that exists is opened before the catalogue is read.
    await writeFile(join(folder.path, 'topup.db'), '');
    await using taken = await startSandbox();
    const port = new URL(taken.localUrl).port;
    await expect(startSandbox({ TOPUP_STORE: store, TOPUP_CATALOG: catalog })).rejects.toThrow(/is not JSON/);
    await expect(startSandbox({ TOPUP_STORE: store, PORT: port })).rejects.toThrow(/already taken/);
    await writeFile(catalog, JSON.stringify(sandboxCatalogFile));
    const config = readConfig({
      TOPUP_STORE: store,
      TOPUP_CATALOG: catalog,
      PORT: '0',
      TOPUP_LOG_LEVEL: 'silent',
    });
    await using live = await startServer(config, liveParts);
    expect(live.seeded).toBe(true);
  });
});

describe('a catalogue file', () => {
  const seedFrom = async (text: string) => {
    const folder = await temporaryFolder();
    const catalog = join(folder.path, 'catalog.json');
    await writeFile(catalog, text);
    return { folder, catalog, start: () => startSandbox({ TOPUP_CATALOG: catalog }) };
  };
  const file = (change: (catalog: Record<string, never[]>) => void): string => {
    const copy = JSON.parse(JSON.stringify(sandboxCatalogFile));
    change(copy);
    return JSON.stringify(copy);
  };

  it('seeds an empty store from a catalogue file', async () => {
    const games = file((catalog) =>
      Object.assign(catalog, { games: catalog.games?.slice(0, 1), promos: [] }),
    );
    const { folder, start } = await seedFrom(games);
    await using _ = folder;
    await using server = await start();
    const response = await fetch(`${server.baseUrl}/games`, {
      headers: { 'X-API-KEY': server.sandboxKey ?? '' },
    });
    expect((await response.json()).games).toHaveLength(1);
  });

  it.each([
    ['that is no JSON', '{"format": ', 'is not JSON'],
    ['of another format', '{}', 'format: '],
    [
      'with a misspelt field',
      file((catalog) => Object.assign(catalog.games?.[2] ?? {}, { titel: 'x' })),
      'games[2]: ',
    ],
    [
      'with a price that is no integer',
      file((catalog) =>
        Object.assign(catalog, { payment_methods: [{ ...(catalog.payment_methods?.[0] ?? {}), fee: 0.5 }] }),
      ),
      'payment_methods[0].fee: ',
    ],
    [
      'with a game twice',
      file((catalog) => Object.assign(catalog.games?.[1] ?? {}, { slug: 'mobile-legends' })),
      'games[1].slug: must be unique, but "mobile-legends" is also at games[0].slug',
    ],
  ])('rejects a catalogue file with %s, and names file, path and rule', async (_, text, message) => {
    const { folder, catalog, start } = await seedFrom(text);
    await using _folder = folder;
    const error = await start().then(
      () => 'started',
      (error: unknown) => String(error),
    );
    expect(error).toContain(catalog);
    expect(error).toContain(message);
  });

  it('ignores the catalogue file if the store has a catalogue', async () => {
    await using folder = await temporaryFolder();
    const address = `file:${join(folder.path, 'topup.db')}`;
    await (await startSandbox({ TOPUP_STORE: address })).close();
    await using server = await startSandbox({ TOPUP_STORE: address, TOPUP_CATALOG: '/nowhere.json' });
    expect(server.seeded).toBe(false);
  });
});

describe('operators of a running server', () => {
  it("lets operators open a running server's store, and applies their changes within a second", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'topup.db');
    await using server = await startSandbox({ TOPUP_STORE: `file:${path}` });
    const list = () =>
      fetch(`${server.baseUrl}/games`, { headers: { 'X-API-KEY': server.sandboxKey ?? '' } });
    expect((await (await list()).json()).games.length).toBeGreaterThan(12);
    const store = openStore({ kind: 'file', path });
    await store.replaceCatalog({ categories: [], games: [], payment_methods: [], promos: [] });
    await store.close();
    await expect.poll(async () => (await (await list()).json()).games.length, { timeout: 1_000 }).toBe(0);
  });
});

describe('an address that the system rejects', () => {
  /** A server whose port can't be opened, with the system's error code. */
  const failingWith = (code: string): Server =>
    Object.assign(createServer(), {
      listen(this: Server) {
        setImmediate(() => this.emit('error', Object.assign(new Error(`listen ${code}`), { code })));
        return this;
      },
    });

  // Which one is the system's choice: 999.1.1.1 is EAI_AGAIN where no name server responds.
  it.each(['ENOTFOUND', 'EADDRNOTAVAIL', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT'])(
    'names a rejected address with its setting (%s)',
    async (code) => {
      const rejection = createListeners(failingWith(code)).open('999.1.1.1', 0);
      await expect(rejection).rejects.toThrow(ConfigError);
      await expect(rejection).rejects.toThrow(/^999\.1\.1\.1:0 .*set HOST \(or --host\)/);
    },
  );
});
