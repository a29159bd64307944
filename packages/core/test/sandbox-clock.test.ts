import { describe, expect, it } from 'vitest';
import {
  createFaults,
  createScenarioSwitch,
  IntendedError,
  visitDueMoments,
} from '../src/features/sandbox/index.ts';
import { createSimulatedGateway } from '../src/gateway/index.ts';
import { secureRandom } from '../src/platform/index.ts';
import { supplierThat } from './helpers/supplier.ts';
import { createTestService } from './helpers/test-service.ts';

const minute = 60_000;

describe('processing due work in order of time', () => {
  it.each<[string, (number | null)[], number[]]>([
    ['continues until no work is left', [10, 20, null, 30], [10, 20]],
    ['continues until the end of the period', [10, 40, 41, 30], [10, 40]],
    ['stops when the same time is returned again', [10, 20, 20, 30], [10, 20]],
    ['never moves back', [20, 10, 30], [20]],
  ])('%s', async (_what, due, visited) => {
    const moments = due.values();
    const seen: number[] = [];
    await visitDueMoments(
      async () => moments.next().value ?? null,
      40,
      async (moment) => void seen.push(moment),
    );
    expect(seen).toEqual(visited);
  });

  it('ends after two thousand moments, and lets other work run in between', async () => {
    let visits = 0;
    let hasRun = false;
    setImmediate(() => {
      hasRun = true;
    });
    await visitDueMoments(
      async () => visits,
      Number.POSITIVE_INFINITY,
      async () => {
        visits += 1;
      },
    );
    expect(visits).toBe(2_000);
    expect(hasRun).toBe(true);
  });
});

describe('the clock of a sandbox', () => {
  it('is ahead by the sum of all advances, until a reset', async () => {
    const { sandbox, clock } = await createTestService();
    await Promise.all([1, 2, 3].map((minutes) => sandbox.advance(minutes * minute)));
    sandbox.chooseScenario('gateway-down');
    const ahead = 6 * minute;
    expect({ ...sandbox.world(), ...sandbox.active }).toEqual({
      now: clock.now + ahead,
      ahead,
      scenario: 'gateway-down',
    });
    await sandbox.reset();
    expect({ ...sandbox.world(), ...sandbox.active }).toEqual({
      now: clock.now,
      ahead: 0,
      scenario: 'none',
    });
  });

  it('never moves back for overdue work', async () => {
    const { order, sandbox, clock, store } = await createTestService();
    const { orderId } = (await order()).json;
    clock.now += 40 * minute;
    await sandbox.advance(1_000);
    expect(await store.findHistory(orderId)).toMatchObject([{ event: 'expired', at: clock.now }]);
    expect(sandbox.world().ahead).toBe(1_000);
  });

  it('resets even during an advance, which ends early', async () => {
    let reset: Promise<void> | undefined;
    let visits = 0;
    const { sandbox, clock } = await createTestService({
      store: (store) => ({
        ...store,
        async nextDueAt() {
          visits += 1;
          if (visits === 3) reset = sandbox.reset();
          return clock.now + visits;
        },
      }),
    });
    await sandbox.advance(365 * 24 * 60 * minute);
    await reset;
    expect(visits).toBe(3);
    expect({ ...sandbox.world(), ...sandbox.active }).toEqual({
      now: clock.now,
      ahead: 0,
      scenario: 'none',
    });
  });
});

describe('a scenario', () => {
  const request = {
    ...{ reference: 'INV-1-1-1', productCode: 'ML86', maxPrice: 1, askedAt: 0, supplierId: null },
    target: { id: '1', server: null, text: '1' },
  };
  const payment = {
    ...{ orderId: 'INV-1', amount: 1, expiresAt: 1, items: [] },
    method: { code: 'BCAVA', group: 'Virtual Account' as const, name: 'BCA' },
    customer: { phone: '08', email: null, name: null },
  };
  const works = { state: 'pending' };
  const down = (name: string) => new IntendedError(`scenario ${name}`);

  it.each([
    ['none', works, null],
    ['gateway-down', works, down('gateway-down')],
    ['supplier-down', down('supplier-down'), null],
    ['supplier-fails', { state: 'failed', reason: 'scenario supplier-fails' }, null],
  ] as const)(
    '%s makes the supplier respond %o, and the gateway fail with %o',
    async (name, said, failure) => {
      const scenario = createScenarioSwitch({ faults: createFaults(() => 0), findOrder: async () => null });
      expect(scenario.active.scenario).toBe('none');
      const supplier = scenario.supplier(supplierThat({}));
      const gateway = scenario.gateway(
        createSimulatedGateway({
          clock: () => 0,
          random: secureRandom,
          pageUrl: (reference) => `http://localhost/${reference}`,
        }),
      );
      scenario.choose(name);
      const signal = new AbortController().signal;
      for (const asking of [supplier.submit(request, signal), supplier.find(request, signal)])
        expect(await asking.catch((error: unknown) => error)).toEqual(said);
      const create = () => gateway.createPayment(payment);
      if (failure) expect(create).toThrow(failure);
      else expect(create()).toMatchObject({ reference: expect.any(String) });
      expect(down(name).name).toBe('IntendedError');
    },
  );
});
