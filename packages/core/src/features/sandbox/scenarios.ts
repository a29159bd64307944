import type { Scenario } from '../../contract/index.ts';
import type { LocalGateway } from '../../gateway/index.ts';
import type { Store } from '../../store/index.ts';
import { type PurchaseResult, readSupplyReference, type Supplier } from '../../supplier/index.ts';
import { type Faults, type FaultsSnapshot, IntendedError, subjectOfOrder } from './faults.ts';

/** The scenario that decides the outcome of a request to the supplier; null for the usual outcome. */
export type SupplierOutcome = Extract<Scenario, `supplier-${string}`> | null;

const failPayment = (): never => {
  throw new IntendedError('scenario gateway-down');
};

/** Creates a gateway that creates no payment while `isDown` returns true. */
export const gatewayWithOutage = (gateway: LocalGateway, isDown: () => boolean): LocalGateway => ({
  ...gateway,
  createPayment: (request) => (isDown() ? failPayment() : gateway.createPayment(request)),
});

/** Creates a supplier whose responses for a reference come from `dictate`; null means the supplier's own response. */
function dictatedSupplier(
  supplier: Supplier,
  dictate: (reference: string) => Promise<PurchaseResult | null>,
  isDown: () => boolean,
): Supplier {
  return {
    ...supplier,
    submit: async (request, signal) => (await dictate(request.reference)) ?? supplier.submit(request, signal),
    find: async (request, signal) => (await dictate(request.reference)) ?? supplier.find(request, signal),
    async findPlayer(player, signal) {
      if (isDown()) throw new IntendedError('scenario supplier-down');
      return supplier.findPlayer?.(player, signal) ?? null;
    },
  };
}

/** Returns the supplier's response in a scenario. @throws IntendedError if it does not respond. */
function resultIn(scenario: SupplierOutcome): PurchaseResult | null {
  if (scenario === 'supplier-down') throw new IntendedError(`scenario ${scenario}`);
  return scenario && { state: 'failed', reason: `scenario ${scenario}` };
}

/** Creates a supplier whose failures `outcomeOf` chooses by the reference of the request. */
export const supplierWithOutcomes = (
  supplier: Supplier,
  outcomeOf: (reference: string) => SupplierOutcome,
): Supplier =>
  dictatedSupplier(
    supplier,
    async (reference) => resultIn(outcomeOf(reference)),
    () => outcomeOf('') === 'supplier-down',
  );

interface FaultParts {
  faults: Faults;
  findOrder: Store['findOrder'];
}

/** Creates a supplier whose responses depend on faults. */
function supplierWithFaults(supplier: Supplier, { faults, findOrder }: FaultParts): Supplier {
  async function dictate(reference: string): Promise<PurchaseResult | null> {
    if (!faults.has('supplier')) return null;
    const order = await findOrder(readSupplyReference(reference).orderId);
    const [struck] = faults.strike('supplier', order ? subjectOfOrder(order) : {});
    if (!struck) return null;
    const { scenario, word, reason } = struck;
    if (scenario === 'supplier-down' || scenario === 'supplier-fails') return resultIn(scenario);
    return { state: 'failed', reason: word ?? `fault ${struck.id}`, ...(reason && { kind: reason }) };
  }
  // A player look-up names no order.
  const isDown = (): boolean => faults.isOn('supplier-down');
  return dictatedSupplier(supplier, dictate, isDown);
}

/** The scenario that is active for all requests. */
export interface ActiveScenario {
  readonly scenario: Scenario;
}

/** The faults at one time, and the id of the active scenario among them. */
export interface ScenarioSnapshot {
  faults: FaultsSnapshot;
  chosen: number | null;
}

/** The faults of a sandbox, including the active scenario. Its gateway and supplier fail accordingly. */
export interface ScenarioSwitch {
  readonly active: ActiveScenario;
  readonly faults: Faults;
  /** Replaces the active scenario; `none` only ends it. */
  choose(scenario: Scenario): void;
  gateway(gateway: LocalGateway): LocalGateway;
  supplier(supplier: Supplier): Supplier;
  snapshot(): ScenarioSnapshot;
  /** Replaces the faults and the scenario with those of a snapshot. */
  restore(from: ScenarioSnapshot): void;
}

export function createScenarioSwitch(parts: FaultParts): ScenarioSwitch {
  const { faults } = parts;
  const active: { scenario: Scenario } = { scenario: 'none' };
  let chosen: number | null = null;
  faults.onChange(() => {
    if (faults.list().some(({ id }) => id === chosen)) return;
    active.scenario = 'none';
    chosen = null;
  });
  return {
    active,
    faults,
    choose(scenario) {
      if (chosen !== null) faults.remove(chosen);
      if (scenario === 'none') return;
      chosen = faults.add({ scenario }).id;
      active.scenario = scenario;
    },
    gateway(gateway) {
      const switched = { ...gateway };
      // Without such a fault, calls go directly to the gateway.
      function update(): void {
        switched.createPayment = faults.has('gateway')
          ? (request) =>
              faults.strike('gateway', { phone: request.customer.phone }).length > 0
                ? failPayment()
                : gateway.createPayment(request)
          : gateway.createPayment;
      }
      // The faults may come from a snapshot.
      update();
      faults.onChange(update);
      return switched;
    },
    supplier: (supplier) => supplierWithFaults(supplier, parts),
    snapshot: () => ({ faults: faults.snapshot(), chosen }),
    restore(from) {
      faults.restore(from.faults);
      const restored = faults.list().find(({ id }) => id === from.chosen);
      chosen = restored?.id ?? null;
      active.scenario = restored?.scenario ?? 'none';
    },
  };
}
