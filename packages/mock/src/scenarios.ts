import { callScenarios, headers, type Operation, operations, orderScenarios } from '@topup-kit/core/contract';
import type { DomainError } from '@topup-kit/core/engine';
import { readScenarioHeader, type SupplierOutcome } from '@topup-kit/core/features/sandbox';
import { checkNames, suggestion } from './known-names.ts';

/**
 * The scenarios of a mock, which are simulated failures, with their descriptions. While `payment-declined` is active, new orders become
 * FAILED after two seconds.
 */
export const scenarios = {
  ...orderScenarios,
  'payment-declined':
    'payments fail: orders become FAILED two seconds after they are created, or when they are paid',
  ...callScenarios,
} as const;

export type ScenarioName = keyof typeof scenarios;

const scenarioNames = Object.keys(scenarios) as ScenarioName[]; // Safe: these are the keys of a constant table.

/** Tells whether a scenario is about orders, so that it affects only calls to `createOrder`. */
export const isAboutOrders = (name: ScenarioName): boolean => Object.hasOwn(orderScenarios, name);

/** The request header that activates scenarios for one request. */
export const scenarioHeader = headers.scenario;

const isScenario = (name: string): name is ScenarioName => Object.hasOwn(scenarios, name);

/** @throws TypeError that lists the known scenarios. */
export function requireScenario(name: string): ScenarioName {
  if (isScenario(name)) return name;
  throw new TypeError(
    `unknown scenario ${JSON.stringify(name)}. ${suggestion(name, scenarioNames, 'scenarios')}`,
  );
}

/** The outcome of an order, decided when it is placed. */
export interface PlannedOutcome {
  /** Time at which the gateway declines the payment, in unix milliseconds of world time; null if it doesn't. */
  declinedAt: number | null;
  supplier: SupplierOutcome;
}

/** Time until the gateway declines a payment, in milliseconds of world time. */
const declineDelay = 2_000;

/** Plans the outcome of an order by scenarios; null if they don't affect the order. */
export function planOutcome(names: readonly ScenarioName[], now: number): PlannedOutcome | null {
  const declinedAt = names.includes('payment-declined') ? now + declineDelay : null;
  const supplier = names.find((name) => name === 'supplier-fails' || name === 'supplier-down') ?? null;
  return declinedAt === null && supplier === null ? null : { declinedAt, supplier };
}

/** Reads the scenarios in a request's header, or returns the error for an unknown name. */
export const scenariosFromHeader = (
  request: Pick<Request, 'headers'>,
): readonly ScenarioName[] | DomainError =>
  readScenarioHeader(request.headers.get(scenarioHeader), scenarioNames);

/** The calls that a scenario affects. */
export interface ScenarioScope {
  /** Only calls to this operation; all if left out. */
  operation?: Operation | undefined;
  /** Number of calls or orders to affect. If left out, the scenario stays until it is cleared. A call without a route doesn't count. */
  times?: number | undefined;
}

/** An active scenario; `times` counts down. */
export interface ActiveScenario extends Readonly<ScenarioScope> {
  readonly name: ScenarioName;
}

/** The scenarios that affect a call. */
export interface CallScenarios {
  names: readonly ScenarioName[];
  /** Names of active order scenarios with `times`. Each counts down when it affects an order. */
  limited: readonly ScenarioName[];
}

/** The active scenarios. */
export interface ScenarioRegistry {
  active(): readonly ActiveScenario[];
  use(name: ScenarioName, place?: ScenarioScope): void;
  clear(): void;
  /** Tells whether a scenario is active without limits, so that it affects earlier orders, too. */
  isOn(name: ScenarioName): boolean;
  /** Returns the scenarios that affect a call, and counts the call for scenarios that are not about orders. */
  take(operation: Operation | null): CallScenarios;
  /** Counts an order that a scenario affects; returns false if the scenario has ended in the meantime. */
  spend(name: ScenarioName): boolean;
}

const placeNames: Record<keyof Required<ScenarioScope>, true> = { operation: true, times: true };

function checkPlace(name: ScenarioName, place: ScenarioScope): void {
  checkNames('scenarios.use', place, placeNames);
  const { operation, times } = place;
  if (operation !== undefined && !operations.includes(operation))
    throw new TypeError(
      `unknown operation ${JSON.stringify(operation)}. ${suggestion(operation, operations, 'operations')}`,
    );
  if (operation !== undefined && operation !== 'createOrder' && isAboutOrders(name))
    throw new TypeError(`The scenario ${name} affects orders, so its operation can only be createOrder.`);
  if (times !== undefined && !(Number.isInteger(times) && times > 0))
    throw new TypeError(`times must be a whole number above 0, got ${JSON.stringify(times)}.`);
}

function affects({ name, operation }: ActiveScenario, called: Operation | null): boolean {
  if (operation !== undefined) return operation === called;
  return !isAboutOrders(name) || called === 'createOrder';
}

const countedDown = (scenario: ActiveScenario): ActiveScenario[] => {
  if (scenario.times === undefined) return [scenario];
  return scenario.times > 1 ? [{ ...scenario, times: scenario.times - 1 }] : [];
};

export function createScenarioRegistry(start: readonly ActiveScenario[]): ScenarioRegistry {
  let active = start;
  return {
    active: () => active,
    use(name, place = {}) {
      const known = requireScenario(name);
      checkPlace(known, place);
      const { operation, times } = place;
      const added = { name: known, ...(operation && { operation }), ...(times !== undefined && { times }) };
      active = [...active, added];
    },
    clear() {
      active = [];
    },
    isOn: (name) =>
      active.some(
        (scenario) =>
          scenario.name === name && scenario.operation === undefined && scenario.times === undefined,
      ),
    take(operation) {
      const taken = active.filter((scenario) => affects(scenario, operation));
      const limited = taken.filter(({ name, times }) => times !== undefined && isAboutOrders(name));
      // A call that matches no route is probably a typing mistake, so it doesn't count.
      const counted = operation === null ? [] : taken.filter((scenario) => !limited.includes(scenario));
      if (counted.some(({ times }) => times !== undefined))
        active = active.flatMap((scenario) =>
          counted.includes(scenario) ? countedDown(scenario) : [scenario],
        );
      return { names: taken.map(({ name }) => name), limited: limited.map(({ name }) => name) };
    },
    spend(name) {
      const spent = active.find((scenario) => scenario.name === name && scenario.times !== undefined);
      if (!spent) return false;
      active = active.flatMap((scenario) => (scenario === spent ? countedDown(scenario) : [scenario]));
      return true;
    },
  };
}
