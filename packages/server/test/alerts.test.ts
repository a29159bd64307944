import { createProviderHealth, type EngineEvent } from '@topup-kit/core/engine';
import type { RemoteGateway } from '@topup-kit/core/gateway';
import { createMemoryStore } from '@topup-kit/core/store';
import { describe, expect, it, vi } from 'vitest';
import { callback } from '../../suites/src/store/callbacks/callback-cases.ts';
import { another, change, idOf, moment, place, unit } from '../../suites/src/store/fixtures.ts';
import { StoreFileError } from '../src/index.ts';
import { createAlertLog, createBalanceReader, watchStore } from '../src/observability/alerts.ts';
import { createRejections } from '../src/observability/rejections.ts';

/** A store, and what is logged about it. */
function watched() {
  const store = createMemoryStore();
  const logged: [object, string][] = [];
  const over: object[] = [];
  const logger = {
    warn: (fields: object, text = '') => void logged.push([fields, text]),
    info: (fields: object) => void over.push(fields),
  };
  const realClock = () => moment + 60 * 60_000;
  const noteCall = createProviderHealth({ store, realClock, reportError: () => expect.unreachable() });
  const emit = (event: EngineEvent) => (event.type === 'call' ? noteCall(event) : expect.unreachable());
  return {
    store,
    logger,
    logged,
    over,
    realClock,
    emit,
    serverId: 'server',
    noteAlerts: async () => true,
    rejections: createRejections(),
  };
}

const unknown = unit(1, { state: 'unknown', nextAt: null });

describe('the log of alerts', () => {
  it('logs each order in an alert once, and again only if it had disappeared', async () => {
    const deps = watched();
    const { store, logged } = deps;
    const check = createAlertLog(deps);
    const get = (letter: string, version: number, units = [unknown]) =>
      store.changeOrder(change({ orderId: idOf(letter), version, units }));
    for (const letter of 'AB') await store.placeOrder(place(another(letter)));
    await check();
    expect(logged).toEqual([]);

    await get('A', 1);
    for (let count = 0; count < 3; count += 1) await check();
    expect(logged).toEqual([
      [
        {
          ...{ alert: 'stuck-orders', names: [idOf('A')], count: 1 },
          items: [
            {
              ...{ orderId: idOf('A'), unit: 1, supplier: null, supplierId: null },
              ...{ productCode: 'ML86', reference: `${idOf('A')}-1-1` },
            },
          ],
          runbook: 'docs/runbook.md#stuck-orders',
        },
        expect.stringContaining('1 order has been in delivery'),
      ],
    ]);

    await get('B', 1);
    for (let count = 0; count < 3; count += 1) await check();
    expect(logged.slice(1)).toEqual([
      [
        expect.objectContaining({
          ...{ names: [idOf('B')], count: 2 },
          items: [expect.objectContaining({ reference: `${idOf('B')}-1-1` })],
        }),
        expect.anything(),
      ],
    ]);

    await get('A', 2, [{ ...unknown, state: 'failed' }]);
    for (let count = 0; count < 3; count += 1) await check();
    expect(deps.over).toEqual([{ alert: 'stuck-orders', names: [idOf('A')], over: 1, count: 1 }]);
    await get('A', 3);
    await check();
    expect(logged.slice(2)).toEqual([[expect.objectContaining({ names: [idOf('A')] }), expect.anything()]]);
  });
});

describe('the log of alerts', () => {
  const waits = (letter: string) =>
    change({
      orderId: idOf(letter),
      units: [unit(1, { state: 'asked', askedAt: moment, nextAt: moment + 1, waitsFor: 'balance' })],
    });

  it('logs once when orders start to wait for the balance, however many there are, and once when no order waits any more', async () => {
    const deps = watched();
    const check = createAlertLog(deps);
    for (const letter of 'ABC') {
      await deps.store.placeOrder(place(another(letter)));
      await deps.store.changeOrder(waits(letter));
      await check();
    }
    const names = [idOf('A')];
    expect(deps.logged).toMatchObject([
      [{ alert: 'waiting-for-balance', names, count: 1 }, '1 paid order waits for a deposit at the supplier'],
    ]);
    for (const letter of 'ABC')
      await deps.store.changeOrder(
        change({ orderId: idOf(letter), version: 2, units: [unit(1, { state: 'delivered', nextAt: null })] }),
      );
    for (let count = 0; count < 3; count += 1) await check();
    expect(deps.over).toMatchObject([{ alert: 'waiting-for-balance', count: 0 }]);
    expect(deps.logged).toHaveLength(1);
  });

  it("logs once that a provider's callbacks fail, even if other callbacks fail later", async () => {
    const deps = watched();
    const check = createAlertLog(deps);
    for (let number = 1; number <= 6; number += 1) {
      const at = deps.realClock() + number;
      await deps.store.addCallback(
        callback({ callbackId: `cb_${number}`, outcome: 'rejected', receivedAt: at, handledAt: at }),
      );
      await check();
    }
    expect(deps.logged).toMatchObject([
      [
        { alert: 'failing-callbacks', names: ['cb_3', 'cb_2', 'cb_1'] },
        'The last 3 callbacks of provider failed or were rejected',
      ],
    ]);
  });

  /** Two servers on a database, whose clock the test moves. */
  function fleet() {
    const { store, logger, logged, over } = watched();
    const clock = { now: moment + 60 * 60_000 };
    let claim = { by: '', until: 0 };
    const shared = {
      ...store,
      async claimWork(names: readonly string[], wanted: typeof claim, now: number) {
        if (claim.by !== wanted.by && claim.until > now) return [];
        claim = wanted;
        return [...names];
      },
    };
    const server = (serverId: string) =>
      createAlertLog({ store: shared, logger, realClock: () => clock.now, serverId });
    return { store, logged, over, clock, one: server('one'), other: server('other') };
  }

  it('writes the log of alerts on one of several servers, and continues on another server without gaps', async () => {
    const { store, logged, clock, one, other } = fleet();
    const raise = async (letter: string) => {
      await store.placeOrder(place(another(letter)));
      await store.changeOrder(change({ orderId: idOf(letter), units: [unknown] }));
    };
    const look = async (...servers: (typeof one)[]) => {
      for (const server of servers) await server();
      clock.now += 5_000;
    };
    await look(one, other);
    await raise('A');
    for (let count = 0; count < 20; count += 1) await look(one, other);
    expect(logged.map(([fields]) => fields)).toMatchObject([{ names: [idOf('A')] }]);
    // The first one is killed, and another order gets stuck before the second one notices.
    await raise('B');
    for (let count = 0; count < 20; count += 1) await look(other);
    expect(logged.map(([fields]) => fields).slice(1)).toMatchObject([{ names: [idOf('B')] }]);
  });
});

describe("the supplier's balance", () => {
  const never = new AbortController().signal;

  it('raises another alert when the balance is low again', async () => {
    const { store, logged, over, realClock, ...deps } = watched();
    const check = createAlertLog({ ...deps, store, realClock });
    for (const balance of [1, 500_000, 2]) {
      const read = { supplier: 'digiflazz', alertBelow: 500_000, readAt: realClock() };
      await store.saveSupplierBalance({ ...read, balance });
      await check();
    }
    expect(logged).toMatchObject([
      [{ alert: 'low-balance' }, expect.stringContaining('is Rp 1, below')],
      [{ alert: 'low-balance' }, expect.stringContaining('is Rp 2, below')],
    ]);
    expect(over).toEqual([{ alert: 'low-balance', names: ['digiflazz'], over: 1, count: 0 }]);
  });

  it("stores the supplier's balance, and raises an alert while it is low", async () => {
    const deps = watched();
    let balance = 499_999;
    const supplier = { name: 'digiflazz', readBalance: async () => balance };
    const read = createBalanceReader(deps, supplier, { alertBelow: 500_000, stop: never });
    const check = createAlertLog(deps);
    await read();
    await check();
    expect(await deps.store.readSupplierBalances()).toEqual([
      { supplier: 'digiflazz', balance, alertBelow: 500_000, readAt: deps.realClock() },
    ]);
    expect(deps.logged).toMatchObject([
      [{ alert: 'low-balance' }, expect.stringContaining('Rp 499,999, below Rp 500,000')],
    ]);
    balance = 500_000;
    await read();
    await check();
    expect(deps.logged).toHaveLength(1);
  });

  it.each<[string, () => Promise<number>]>([
    ['fails', () => Promise.reject(new Error('no route'))],
    ['is no number', async () => Number.NaN],
  ])('logs a balance that %s once until it is readable again', async (_name, fail) => {
    const deps = watched();
    let respond = fail;
    const read = createBalanceReader(
      deps,
      { name: 'x', readBalance: () => respond() },
      { alertBelow: 1, stop: never },
    );
    for (let count = 0; count < 3; count += 1) await read();
    expect(deps.logged).toMatchObject([[{ provider: 'x' }, "the supplier's balance could not be read"]]);
    expect(await deps.store.readProviderProblems()).toMatchObject([{ provider: 'x', call: 'balance' }]);
    respond = async () => 5;
    await read();
    await vi.waitFor(async () => expect(await deps.store.readProviderProblems()).toEqual([]));
    respond = fail;
    for (let count = 0; count < 3; count += 1) await read();
    expect(deps.logged).toHaveLength(2);
  });
});

describe('a store that already reports that it rejects writes', () => {
  const full = new StoreFileError('writes_paused', 'it accepts no writes');

  it("doesn't log a store that rejects writes as a supplier's problem", async () => {
    const deps = watched();
    const read = createBalanceReader(
      { ...deps, store: { ...deps.store, saveSupplierBalance: () => Promise.reject(full) } },
      { name: 'x', readBalance: async () => 5 },
      { alertBelow: 1, stop: new AbortController().signal },
    );
    await read();
    expect(deps.logged).toEqual([]);
    expect(await deps.store.readProviderProblems()).toEqual([]);
  });

  it("adds no log line for problems of providers that can't be stored", async () => {
    const reported: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    let error: Error = full;
    const noteCall = createProviderHealth({
      store: { saveProviderProblems: () => Promise.reject(error) },
      realClock: () => moment,
      reportError(told) {
        reported.push(told);
        resolve();
      },
    });
    await new Promise(setImmediate);
    error = new Error('something else');
    noteCall({ type: 'call', provider: 'x', call: 'balance', error: new Error('no route') });
    await promise;
    expect(reported).toEqual([error]);
  });

  it("adds no log line when alerts can't be read", async () => {
    vi.useFakeTimers();
    try {
      const deps = watched();
      await using resources = new AsyncDisposableStack();
      const store = { ...deps.store, readWorldOffset: () => Promise.reject(full) };
      watchStore({ ...deps, store }, { suppliers: [], balanceAlert: 0 }, resources);
      await vi.advanceTimersByTimeAsync(3 * 60_000);
      expect(deps.logged).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a server', () => {
  it('submits orders that wait for the balance only after it has risen', async () => {
    vi.useFakeTimers();
    try {
      const deps = watched();
      await deps.store.placeOrder(place(another('A')));
      const next = moment + 100 * 60_000;
      const waiting = { state: 'waiting', supplier: 'test', askedAt: moment, reason: 'rc 44' } as const;
      await deps.store.changeOrder(
        change({ units: [unit(1, { ...waiting, nextAt: next, waitsFor: 'balance' })] }),
      );
      const nextAt = async () => (await deps.store.findUnits(idOf('A')))[0]?.nextAt;
      let balance = 1_000;
      const supplier = {
        ...{ name: 'test', sandbox: false },
        abilities: { findBy: 'reference', findIntervalMs: 0, referenceLifetimeMs: null } as const,
        submit: async () => ({ state: 'pending' }) as const,
        find: async () => ({ state: 'pending' }) as const,
        readBalance: async () => balance,
      };
      await using resources = new AsyncDisposableStack();
      watchStore(deps, { suppliers: [supplier], balanceAlert: 0 }, resources);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(await nextAt()).toBe(next);
      balance = 5_000_000;
      await vi.advanceTimersByTimeAsync(20_000);
      expect(await nextAt()).toBeLessThan(next);
    } finally {
      vi.useRealTimers();
    }
  });

  it('requests the balance at each supplier', async () => {
    vi.useFakeTimers();
    try {
      const deps = watched();
      const suppliers = ['depot', 'shelf'].map((name, index) => ({
        ...{ name, sandbox: false },
        abilities: { findBy: 'reference', findIntervalMs: 0, referenceLifetimeMs: null } as const,
        submit: async () => ({ state: 'pending' }) as const,
        find: async () => ({ state: 'pending' }) as const,
        readBalance: async () => 1_000 * index,
      }));
      await using resources = new AsyncDisposableStack();
      watchStore(deps, { suppliers, balanceAlert: 500 }, resources);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await deps.store.readSupplierBalances()).toMatchObject([
        { supplier: 'depot', balance: 0 },
        { supplier: 'shelf', balance: 1_000 },
      ]);
      expect(deps.logged).toMatchObject([[{ alert: 'low-balance', names: ['depot'] }, expect.anything()]]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("checks the gateway's keys at the start, and raises an alert until the keys are right", async () => {
    vi.useFakeTimers();
    try {
      const deps = watched();
      let isRight = false;
      const gateway: RemoteGateway = {
        ...{ kind: 'remote', name: 'tripay', sandbox: false },
        createPayment: async () => ({ reference: 'R' }),
        findPayment: async () => ({ state: 'absent' }),
        async checkAccess() {
          if (!isRight) throw new Error('status 401: Invalid API Key');
        },
      };
      await using resources = new AsyncDisposableStack();
      watchStore(deps, { gateway, suppliers: [], balanceAlert: 0 }, resources);
      await vi.advanceTimersByTimeAsync(0);
      const text = "the gateway rejects the server's requests, or could not be reached";
      expect(deps.logged).toMatchObject([[{ provider: 'tripay' }, text]]);
      expect(await deps.store.readProviderProblems()).toEqual([
        {
          ...{ provider: 'tripay', call: 'access', since: deps.realClock() },
          problem: 'status 401: Invalid API Key',
        },
      ]);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(deps.logged[1]).toMatchObject([
        { alert: 'rejected-requests', names: ['tripay'] },
        expect.stringContaining('401'),
      ]);
      isRight = true;
      await vi.advanceTimersByTimeAsync(10 * 60_000);
      expect(await deps.store.readProviderProblems()).toEqual([]);
      expect(deps.logged).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('logs an alert without text that looks like a secret', async () => {
    vi.useFakeTimers();
    try {
      const deps = watched();
      const gateway: RemoteGateway = {
        ...{ kind: 'remote', name: 'tripay', sandbox: false },
        createPayment: async () => ({ reference: 'R' }),
        findPayment: async () => ({ state: 'absent' }),
        async checkAccess() {
          throw new Error('POST https://user:hunter22@pay.example/?api_key=hunter33 failed.');
        },
      };
      await using resources = new AsyncDisposableStack();
      watchStore(deps, { gateway, suppliers: [], balanceAlert: 0 }, resources);
      await vi.advanceTimersByTimeAsync(5_000);
      const [, alert] = deps.logged;
      expect(alert).toMatchObject([
        { alert: 'rejected-requests' },
        expect.stringContaining('https://[secret]@pay.example'),
      ]);
      expect(JSON.stringify(alert)).not.toContain('hunter');
    } finally {
      vi.useRealTimers();
    }
  });

  it('requests the balance immediately and then every 15 seconds while a paid order waits for it', async () => {
    vi.useFakeTimers();
    try {
      const deps = watched();
      await deps.store.placeOrder(place(another('A')));
      let asked = 0;
      let balance = 600_000;
      const supplier = {
        ...{ name: 'test', sandbox: false },
        abilities: { findBy: 'reference', findIntervalMs: 0, referenceLifetimeMs: null } as const,
        submit: async () => ({ state: 'pending' }) as const,
        find: async () => ({ state: 'pending' }) as const,
        async readBalance() {
          asked += 1;
          return balance;
        },
      };
      await using resources = new AsyncDisposableStack();
      watchStore(deps, { suppliers: [supplier], balanceAlert: 500_000 }, resources);
      await vi.advanceTimersByTimeAsync(90_000);
      expect({ asked, logged: deps.logged }).toEqual({ asked: 1, logged: [] });

      balance = 30_000;
      const waiting = unit(1, { state: 'asked', askedAt: moment, nextAt: moment + 1, waitsFor: 'balance' });
      await deps.store.changeOrder(change({ units: [waiting] }));
      await vi.advanceTimersByTimeAsync(10_000);
      expect(asked).toBe(2);
      expect(deps.logged.map(([fields, text]) => [fields, text])).toMatchObject(
        [
          [{ alert: 'waiting-for-balance' }, /1 paid order waits for a deposit/],
          [{ alert: 'low-balance' }, 'The balance at the supplier test is Rp 30,000, below Rp 500,000'],
        ].map(([fields, text]) => [fields, text instanceof RegExp ? expect.stringMatching(text) : text]),
      );
      await vi.advanceTimersByTimeAsync(5 * 60_000);
      expect(asked).toBe(22);
    } finally {
      vi.useRealTimers();
    }
  });

  it('checks alerts every five seconds and the balance every ten minutes, and stops despite an open request', async () => {
    vi.useFakeTimers();
    try {
      const deps = watched();
      await deps.store.placeOrder(place(another('A')));
      await deps.store.changeOrder(change({ units: [unknown] }));
      let asked = 0;
      class Adapter {
        readonly left = 7;
        async readBalance(): Promise<number> {
          asked += 1;
          return asked === 3 ? new Promise(() => {}) : this.left;
        }
      }
      const supplier = Object.assign(new Adapter(), {
        ...{ name: 'test', sandbox: false },
        abilities: { findBy: 'reference', findIntervalMs: 0, referenceLifetimeMs: null } as const,
        submit: async () => ({ state: 'pending' }) as const,
        find: async () => ({ state: 'pending' }) as const,
      });
      const resources = new AsyncDisposableStack();
      watchStore(deps, { suppliers: [supplier], balanceAlert: 10 }, resources);
      await vi.advanceTimersByTimeAsync(4_000);
      expect({ asked, logged: deps.logged }).toEqual({ asked: 1, logged: [] });
      await vi.advanceTimersByTimeAsync(1_000);
      expect(deps.logged.map(([fields]) => fields)).toMatchObject([
        { alert: 'stuck-orders' },
        { alert: 'low-balance' },
      ]);
      await vi.advanceTimersByTimeAsync(20 * 60_000);
      expect(asked).toBe(3);
      await resources.disposeAsync();
      await vi.advanceTimersByTimeAsync(20 * 60_000);
      expect({ asked, logged: deps.logged.length }).toEqual({ asked: 3, logged: 2 });
    } finally {
      vi.useRealTimers();
    }
  });
});
