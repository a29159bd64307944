import type { Scenario } from '../../contract/index.ts';
import type { LocalGateway } from '../../gateway/index.ts';
import type { Supplier, SupplyResult } from '../../supplier/index.ts';

/** The scenario that decides on a request to the supplier; null when the request is handled as usual. */
export type SupplierOutcome = Extract<Scenario, `supplier-${string}`> | null;

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
  /** Whether it is any but `none`. */
  readonly isOn: boolean;
}

/** The active scenario of a sandbox; its gateway and supplier fail accordingly. */
export interface ScenarioSwitch {
  readonly active: ActiveScenario;
  choose(scenario: Scenario): void;
  gateway(gateway: LocalGateway): LocalGateway;
  supplier(supplier: Supplier): Supplier;
}

export function createScenarioSwitch(): ScenarioSwitch {
  const active: { scenario: Scenario; isOn: boolean } = { scenario: 'none', isOn: false };
  const obeying: ((scenario: Scenario) => void)[] = [];
  return {
    active,
    choose(chosen) {
      active.scenario = chosen;
      active.isOn = chosen !== 'none';
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
