import type { LocalGateway } from '../gateway/index.ts';
import type { Supplier } from '../supplier/index.ts';

/** Ways in which a sandbox's world can go wrong, on purpose. */
export const scenarios = {
  none: 'everything works',
  'gateway-down': 'no payment can be created: POST /order answers 500',
  'supplier-down': 'the supplier does not answer: paid orders stay Proses',
  'supplier-fails': 'the supplier refuses every item: paid orders become Gagal',
} as const;

export type Scenario = keyof typeof scenarios;

export const isScenario = (name: string): name is Scenario => Object.hasOwn(scenarios, name);

/** Which scenario is on, and the parts that obey it. */
export interface ScenarioSwitch {
  current(): Scenario;
  choose(scenario: Scenario): void;
  gateway(gateway: LocalGateway): LocalGateway;
  supplier(supplier: Supplier): Supplier;
}

export function createScenarioSwitch(): ScenarioSwitch {
  let scenario: Scenario = 'none';
  return {
    current: () => scenario,
    choose(chosen) {
      scenario = chosen;
    },
    gateway: (gateway) => ({
      ...gateway,
      createPayment(request) {
        if (scenario === 'gateway-down') throw new Error('scenario gateway-down');
        return gateway.createPayment(request);
      },
    }),
    supplier: (supplier) => ({
      ...supplier,
      async supply(request, signal) {
        if (scenario === 'supplier-down') throw new Error('scenario supplier-down');
        if (scenario === 'supplier-fails') return { state: 'failed', reason: 'scenario supplier-fails' };
        return supplier.supply(request, signal);
      },
    }),
  };
}
