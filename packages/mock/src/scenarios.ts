import { RefusalWithHeaders } from '@topup-kit/core/app';
import { headers, type Operation, operations } from '@topup-kit/core/contract';
import {
  IntendedError,
  Refusal,
  type SupplierOutcome,
  scenarios as sandboxScenarios,
} from '@topup-kit/core/engine';
import { checkNames } from './known-names.ts';

/** Ways in which a mock's world can go wrong, on purpose. */
export const scenarios = {
  'payment-declined':
    'payments fail: orders made while it is on become FAILED two seconds later, or when paid',
  'supplier-fails':
    'the supplier refuses every item: orders made, or delivered, while it is on become Gagal once paid',
  'supplier-down': sandboxScenarios['supplier-down'],
  'rate-limited': 'every call is one too many: 429 with Retry-After: 1',
  'gateway-down': sandboxScenarios['gateway-down'],
  slow: 'every answer takes three seconds',
  flaky: 'every third call to an operation answers 503; which one it begins with follows from the seed',
  maintenance: 'every call answers 503',
  offline: 'no answer comes: fetch rejects with a TypeError',
} as const;

export type ScenarioName = keyof typeof scenarios;

const scenarioNames = Object.keys(scenarios) as ScenarioName[]; // safe: the keys of a const table

/** The scenarios that are about orders: no call but `createOrder` has a part in them. */
export const orderScenarios: ReadonlySet<ScenarioName> = new Set<ScenarioName>([
  'payment-declined',
  'supplier-fails',
  'supplier-down',
  'gateway-down',
]);

/** Asks for a scenario for one request. */
export const scenarioHeader = 'X-Topup-Scenario';

const isScenario = (name: string): name is ScenarioName => Object.hasOwn(scenarios, name);

/** @throws TypeError that lists what there is. */
export function requireScenario(name: string): ScenarioName {
  if (isScenario(name)) return name;
  throw new TypeError(`There is no scenario ${JSON.stringify(name)}; there are ${scenarioNames.join(', ')}.`);
}

/** What will become of an order, decided when it was placed. */
export interface PlannedOutcome {
  /** When the gateway says that its payment failed, in unix milliseconds of world time; null when it doesn't. */
  declinedAt: number | null;
  supplier: SupplierOutcome;
}

/** How long a gateway takes to decline, in milliseconds of world time. */
const declineTime = 2_000;

/** The outcome that scenarios plan for an order placed at a moment; null when they leave it alone. */
export function planOutcome(names: readonly ScenarioName[], now: number): PlannedOutcome | null {
  const declinedAt = names.includes('payment-declined') ? now + declineTime : null;
  const supplier = names.find((name) => name === 'supplier-fails' || name === 'supplier-down') ?? null;
  return declinedAt === null && supplier === null ? null : { declinedAt, supplier };
}

/** The error that scenarios answer a call with; undefined when they let it through. */
export function faultOf(names: readonly ScenarioName[], failsThisTime: () => boolean): Refusal | undefined {
  if (names.includes('maintenance'))
    return new Refusal('UNAVAILABLE', { cause: new IntendedError('scenario maintenance') });
  if (names.includes('rate-limited'))
    return new RefusalWithHeaders('RATE_LIMITED', { [headers.retryAfter]: '1' });
  if (names.includes('flaky') && failsThisTime())
    return new Refusal('UNAVAILABLE', { cause: new IntendedError('scenario flaky') });
  return undefined;
}

/** The scenarios that a request's own header asks for, or the error for an unknown name. */
export function readScenarioHeader(request: Request): ScenarioName[] | Refusal {
  const sent = request.headers.get(scenarioHeader);
  if (sent === null) return [];
  const names = sent.split(',').map((name) => name.trim());
  if (names.every(isScenario)) return names;
  const rule = `The ${scenarioHeader} header must be one of ${scenarioNames.join(', ')}.`;
  return new Refusal('VALIDATION_ERROR', { fields: { [scenarioHeader]: [rule] } });
}

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
export interface ScenarioRegistry {
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

export function createScenarioRegistry(start: readonly ActiveScenario[]): ScenarioRegistry {
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
