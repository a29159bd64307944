import type { LocalGateway } from '../gateway/index.ts';
import type { Supplier, SupplyResult } from '../supplier/index.ts';

/** What goes wrong with orders on purpose, by the name of the scenario. */
export const orderScenarios = {
  'payment-declined':
    'payments fail: orders created while it is active become FAILED two seconds later, or when paid',
  'supplier-fails': 'the supplier rejects every item: paid orders become Gagal',
  'supplier-down': 'the supplier does not respond: paid orders stay Proses',
  'gateway-down': 'no payment can be created: POST /order returns 500',
} as const;

/** What goes wrong with any call to an operation on purpose, by the name of the scenario. */
export const callScenarios = {
  'rate-limited': 'every call exceeds the rate limit: 429 with Retry-After: 1',
  slow: 'every response takes three seconds',
  flaky: 'every third call to an operation fails with 503',
  maintenance: 'every call fails with 503',
  offline: 'no response: the connection is cut, a network error',
} as const;

const { 'payment-declined': _ofMocks, ...orderScenariosOfSandboxes } = orderScenarios;

/** The scenarios of a sandbox, with the text that `GET /sandbox` shows for each. */
export const sandboxScenarios = {
  none: 'everything works',
  ...orderScenariosOfSandboxes,
  ...callScenarios,
} as const;

export type Scenario = keyof typeof sandboxScenarios;

/** The scenario that decides on a request to the supplier; null when the request is handled as usual. */
export type SupplierOutcome = Extract<Scenario, `supplier-${string}`> | null;

export const isScenario = (name: string): name is Scenario => Object.hasOwn(sandboxScenarios, name);

/** A failure that a sandbox or a mock simulates on request; it is not reported as an error of the service. */
export class IntendedError extends Error {
  override readonly name = 'IntendedError';
}

const failPayment = (): never => {
  throw new IntendedError('scenario gateway-down');
};

/** A gateway that creates no payment while `isDown` returns true. */
export const gatewayWithOutage = (gateway: LocalGateway, isDown: () => boolean): LocalGateway => ({
  ...gateway,
  createPayment: (request) => (isDown() ? failPayment() : gateway.createPayment(request)),
});

/** A supplier whose failures `outcomeOf` chooses by the reference of the request. */
export const supplierWithOutcomes = (
  supplier: Supplier,
  outcomeOf: (reference: string) => SupplierOutcome,
): Supplier => {
  /** The result that the outcome dictates; null when the request is handled as usual. */
  function dictated(reference: string): SupplyResult | null {
    const outcome = outcomeOf(reference);
    if (outcome === 'supplier-down') throw new IntendedError(`scenario ${outcome}`);
    return outcome && { state: 'failed', reason: `scenario ${outcome}` };
  }
  return {
    ...supplier,
    submit: async (request, signal) => dictated(request.reference) ?? supplier.submit(request, signal),
    find: async (request, signal) => dictated(request.reference) ?? supplier.find(request, signal),
    async findPlayer(player, signal) {
      if (outcomeOf('') === 'supplier-down') throw new IntendedError('scenario supplier-down');
      return supplier.findPlayer?.(player, signal) ?? null;
    },
  };
};

/** The scenario that is on. Data, because each request looks at it. */
export interface ActiveScenario {
  readonly scenario: Scenario;
}

/** The active scenario of a sandbox; its gateway and supplier fail accordingly. */
export interface ScenarioSwitch {
  readonly active: ActiveScenario;
  choose(scenario: Scenario): void;
  gateway(gateway: LocalGateway): LocalGateway;
  supplier(supplier: Supplier): Supplier;
}

export function createScenarioSwitch(): ScenarioSwitch {
  const active: { scenario: Scenario } = { scenario: 'none' };
  const obeying: ((scenario: Scenario) => void)[] = [];
  return {
    active,
    choose(chosen) {
      active.scenario = chosen;
      for (const obey of obeying) obey(chosen);
    },
    gateway(gateway) {
      const switched = { ...gateway };
      // Without the scenario, the gateway itself is called: what is not chosen costs nothing.
      obeying.push((scenario) => {
        switched.createPayment = scenario === 'gateway-down' ? failPayment : gateway.createPayment;
      });
      return switched;
    },
    supplier: (supplier) =>
      supplierWithOutcomes(supplier, () => {
        const { scenario } = active;
        return scenario === 'supplier-down' || scenario === 'supplier-fails' ? scenario : null;
      }),
  };
}
