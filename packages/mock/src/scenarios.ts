import { type Operation, operations } from '@topup-kit/core/contract';
import { checkNames } from './known-names.ts';

/** Where a scenario is on. */
export interface ScenarioPlace {
  /** Only calls to this operation; all when left out. */
  operation?: Operation;
  /**
   * Only so many calls more, or orders that it takes effect on; until it is cleared when left out. A call that matches
   * no route is not counted.
   */
  times?: number;
}

/** A scenario that is on; `times` counts down. */
export interface ActiveScenario extends Readonly<ScenarioPlace> {
  readonly name: ScenarioName;
}

/** The scenarios that a call has a part in. */
export interface CallScenarios {
  names: readonly ScenarioName[];
  /** Those of the names that are about orders and on for so many of them: used up by the order they take effect on. */
  limited: readonly ScenarioName[];
}

/** Which scenarios are on. */
export interface ScenarioBoard {
  active(): readonly ActiveScenario[];
  use(name: ScenarioName, place?: ScenarioPlace): void;
  clear(): void;
  /** Whether a scenario is on for whatever happens, also to orders made before. */
  isOn(name: ScenarioName): boolean;
  /** The scenarios that a call has a part in; this call is counted where they aren't about orders. */
  take(operation: Operation | null): CallScenarios;
  /** Counts an order that a scenario takes effect on; false when it was used up in the meantime. */
  spend(name: ScenarioName): boolean;
}

const placeNames: Record<keyof Required<ScenarioPlace>, true> = { operation: true, times: true };

function checkPlace(name: ScenarioName, place: ScenarioPlace): void {
  checkNames(`the place of the scenario ${name}`, place, placeNames);
  const { operation, times } = place;
  if (operation !== undefined && !operations.includes(operation))
    throw new TypeError(
      `There is no operation ${JSON.stringify(operation)}; there are ${operations.join(', ')}.`,
    );
  if (operation !== undefined && operation !== 'createOrder' && orderScenarios.has(name))
    throw new TypeError(`The scenario ${name} is about orders: its operation can only be createOrder.`);
  if (times !== undefined && !(Number.isInteger(times) && times > 0))
    throw new TypeError(`times must be a whole number above 0, got ${JSON.stringify(times)}.`);
}

function concerns({ name, operation }: ActiveScenario, called: Operation | null): boolean {
  if (operation !== undefined) return operation === called;
  return !orderScenarios.has(name) || called === 'createOrder';
}

const countedDown = (one: ActiveScenario): ActiveScenario[] => {
  if (one.times === undefined) return [one];
  return one.times > 1 ? [{ ...one, times: one.times - 1 }] : [];
};

export function createScenarioBoard(start: readonly ActiveScenario[]): ScenarioBoard {
  let active = start;
  return {
    active: () => active,
    use(name, place = {}) {
      const known = requireScenario(name);
      checkPlace(known, place);
      const { operation, times } = place;
      const one = { name: known, ...(operation && { operation }), ...(times !== undefined && { times }) };
      active = [...active, one];
    },
    clear() {
      active = [];
    },
    isOn: (name) =>
      active.some((one) => one.name === name && one.operation === undefined && one.times === undefined),
    take(operation) {
      const taken = active.filter((one) => concerns(one, operation));
      const limited = taken.filter(({ name, times }) => times !== undefined && orderScenarios.has(name));
      // A call to nothing is a slip of the pen, and not the one that was waited for.
      const counted = operation === null ? [] : taken.filter((one) => !limited.includes(one));
      if (counted.some(({ times }) => times !== undefined))
        active = active.flatMap((one) => (counted.includes(one) ? countedDown(one) : [one]));
      return { names: taken.map(({ name }) => name), limited: limited.map(({ name }) => name) };
    },
    spend(name) {
      const spent = active.find((one) => one.name === name && one.times !== undefined);
      if (!spent) return false;
      active = active.flatMap((one) => (one === spent ? countedDown(one) : [one]));
      return true;
    },
  };
}

/** Ways in which a mock's world can go wrong, on purpose. */
export const scenarios = {
  'payment-declined':
    'payments fail: orders made while it is on become FAILED two seconds later, or when paid',
  'supplier-fails':
    'the supplier refuses every item: orders made, or delivered, while it is on become Gagal once paid',
  'supplier-down': 'the supplier does not answer: paid orders stay Proses',
  'rate-limited': 'every call is one too many: 429 with Retry-After: 1',
  'gateway-down': 'no payment can be created: POST /order answers 500',
  slow: 'every answer takes three seconds',
  flaky: 'every third call to an operation answers 503; which one it begins with follows from the seed',
  maintenance: 'every call answers 503',
  offline: 'no answer comes: fetch rejects with a TypeError',
} as const;

export type ScenarioName = keyof typeof scenarios;

export const scenarioNames = Object.keys(scenarios) as ScenarioName[]; // safe: the keys of a const table

/** The scenarios that are about orders: no call but `createOrder` has a part in them. */
export const orderScenarios: ReadonlySet<ScenarioName> = new Set<ScenarioName>([
  'payment-declined',
  'supplier-fails',
  'supplier-down',
  'gateway-down',
]);

/** Asks for a scenario for one request. */
export const scenarioHeader = 'X-Topup-Scenario';

export const isScenario = (name: string): name is ScenarioName => Object.hasOwn(scenarios, name);

/** @throws TypeError that lists what there is. */
export function requireScenario(name: string): ScenarioName {
  if (isScenario(name)) return name;
  throw new TypeError(`There is no scenario ${JSON.stringify(name)}; there are ${scenarioNames.join(', ')}.`);
}
