import { createProviderProblems } from '@topup-kit/core/engine';
import type { RemoteGateway } from '@topup-kit/core/gateway';
import { createMemoryStore } from '@topup-kit/core/store';
import { describe, expect, it, vi } from 'vitest';
import { another, change, moment, place, unit } from '../../core/src/store/suite/fixtures.ts';
import { createAlertLog, createBalanceReader, watchStore } from '../src/alerts.ts';
import { StoreFileError } from '../src/index.ts';

/** A store, and what is logged about it. */
function watched() {
  const store = createMemoryStore();
  const logged: [object, string][] = [];
  const logger = { warn: (fields: object, text = '') => void logged.push([fields, text]) };
  const realClock = () => moment + 60 * 60_000;
  const reportCall = createProviderProblems({ store, realClock, reportError: () => expect.unreachable() });
  return { store, logger, logged, realClock, reportCall };
}

const idOf = (letter: string): string => another(letter).orderId;
const unknown = unit(1, { state: 'unknown', nextAt: null });

describe('the log of alerts', () => {
  it('names each order once, and again only after it had gone away', async () => {
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
          runbook: 'docs/going-live.md#stuck-orders',
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
    await check();
    await get('A', 3);
    await check();
    expect(logged.slice(2)).toEqual([[expect.objectContaining({ names: [idOf('A')] }), expect.anything()]]);
  });
});

describe("the supplier's balance", () => {
  const never = new AbortController().signal;

  it('that is low again is an alert again', async () => {
    const { store, logged, realClock, ...deps } = watched();
    const check = createAlertLog({ ...deps, store, realClock });
    for (const balance of [1, 500_000, 2]) {
      const read = { supplier: 'digiflazz', alertBelow: 500_000, readAt: realClock() };
      await store.saveSupplierBalance({ ...read, balance });
      await check();
    }
    expect(logged).toMatchObject([
      [{ alert: 'low-balance' }, expect.stringContaining('is 1, below')],
      [{ alert: 'low-balance' }, expect.stringContaining('is 2, below')],
    ]);
  });

  it('is stored, and an alert while it is low', async () => {
    const deps = watched();
    let balance = 499_999;
    const supplier = { name: 'digiflazz', readBalance: async () => balance };
    const read = createBalanceReader(deps, supplier, { alertBelow: 500_000, stop: never });
    const check = createAlertLog(deps);
    await read();
    await check();
    expect(await deps.store.readSupplierBalance()).toEqual({
      ...{ supplier: 'digiflazz', balance, alertBelow: 500_000, readAt: deps.realClock() },
    });
    expect(deps.logged).toMatchObject([
      [{ alert: 'low-balance' }, expect.stringContaining('499,999, below 500,000')],
    ]);
    balance = 500_000;
    await read();
    await check();
    expect(deps.logged).toHaveLength(1);
  });

  it.each<[string, () => Promise<number>]>([
    ['fails', () => Promise.reject(new Error('no route'))],
    ['is no number', async () => Number.NaN],
  ])('that %s is logged once, until it is read again', async (_name, fail) => {
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

describe('a store that accepts no writes, which is reported already,', () => {
  const full = new StoreFileError('writes_paused', 'it accepts no writes');

  it('is no problem of the supplier, and no line of its own', async () => {
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

  it('adds no line for the problems of providers that it does not take', async () => {
    const reported: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    let error: Error = full;
    const reportCall = createProviderProblems({
      store: { saveProviderProblems: () => Promise.reject(error) },
      realClock: () => moment,
      reportError(told) {
        reported.push(told);
        resolve();
      },
    });
    await new Promise(setImmediate);
    error = new Error('something else');
    reportCall('x', 'balance', new Error('no route'));
    await promise;
    expect(reported).toEqual([error]);
  });

  it('adds no line because alerts can not be looked for', async () => {
    vi.useFakeTimers();
    try {
      const deps = watched();
      await using resources = new AsyncDisposableStack();
      const store = { ...deps.store, readWorldOffset: () => Promise.reject(full) };
      watchStore({ ...deps, store }, { supplier: undefined, balanceAlert: 0 }, resources);
      await vi.advanceTimersByTimeAsync(3 * 60_000);
      expect(deps.logged).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a server', () => {
  it('asks the gateway at the start whether its keys are right, and alerts until they are', async () => {
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
      watchStore(deps, { gateway, supplier: undefined, balanceAlert: 0 }, resources);
      await vi.advanceTimersByTimeAsync(0);
      const text = 'the gateway rejects our requests, or could not be reached';
      expect(deps.logged).toMatchObject([[{ provider: 'tripay' }, text]]);
      expect(await deps.store.readProviderProblems()).toEqual([
        {
          ...{ provider: 'tripay', call: 'access', since: deps.realClock() },
          problem: 'status 401: Invalid API Key',
        },
      ]);
      await vi.advanceTimersByTimeAsync(60_000);
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

  it('looks every minute, asks for the balance every ten, and ends although a question is open', async () => {
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
      watchStore(deps, { supplier, balanceAlert: 10 }, resources);
      await vi.advanceTimersByTimeAsync(59_000);
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
