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
