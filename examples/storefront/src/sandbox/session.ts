import type { MockRequest, OrderControls, ScenarioName, TopupMock } from '@topup-kit/mock';
import { placedOrders } from '../orders/placed-orders.ts';
import type { SandboxWorld } from './world.ts';

/** Actions on an order: the names of the mock's controls, and of the buttons for them. */
export const actions = {
  pay: 'Pay',
  fail: 'Fail',
  expire: 'Expire',
  deliver: 'Deliver',
  failDelivery: 'Fail delivery',
  refund: 'Refund',
} as const satisfies Partial<Record<keyof OrderControls, string>>;
export type Action = keyof typeof actions;

/** Use of the controls in the drawer; `at` is the time of the sandbox clock, in unix milliseconds. */
export type ManualAction =
  | { kind: 'act'; at: number; action: Action; orderId: string }
  | { kind: 'advance'; at: number; by: number }
  | { kind: 'scenario'; at: number; name: ScenarioName }
  | { kind: 'clear'; at: number };

/** Change of the mock's state: an order request or a manual action. */
export type Step = ManualAction | OrderStep;

interface OrderStep {
  kind: 'order';
  at: number;
  body: unknown;
  status: number;
}

/** Manual action, and the number of requests before it. */
export interface RecordedAction {
  after: number;
  action: ManualAction;
}

/**
 * Lists requests and manual actions in their order. Omits reads, and requests that never reached the service, because they change nothing.
 */
export function toSteps(
  requests: readonly MockRequest[],
  recordedActions: readonly RecordedAction[],
): Step[] {
  const ordered = requests.flatMap(({ operation, at, body, status }, index) =>
    operation === 'createOrder' && status !== null
      ? [{ position: index + 0.5, step: { kind: 'order', at, body, status } satisfies OrderStep }]
      : [],
  );
  return [...ordered, ...recordedActions.map(({ after, action }) => ({ position: after, step: action }))]
    .sort((a, b) => a.position - b.position)
    .map(({ step }) => step);
}

const storageKey = 'kilat:sandbox';

interface SavedSession {
  seed: number;
  steps: Step[];
}

/** Reads the session of this tab before the page was reloaded. */
export function readSavedSession(): SavedSession | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Saves the session for a reload. Its seed and its steps restore it. */
export const saveOnPageHide = (world: SandboxWorld): void =>
  addEventListener('pagehide', () =>
    sessionStorage.setItem(
      storageKey,
      JSON.stringify({ seed: world.seed, steps: world.steps() } satisfies SavedSession),
    ),
  );

/** Returns the second when an order was placed, which is in its id, in Jakarta's time. */
const secondOf = (orderId: string): number => {
  const digits = orderId.match(/\d{2}/g) ?? [];
  const [century, year, month, day, ...time] = digits;
  return Date.parse(`${century}${year}-${month}-${day}T${time.join(':')}+07:00`);
};

const lettersOf = (orderId: string): string => orderId.slice(-8);

async function repeatOrder(
  mock: TopupMock,
  { at, body }: OrderStep,
  setTime: (at: number) => void,
): Promise<void> {
  async function placeAt(time: number): Promise<string> {
    setTime(time);
    const response = await mock.fetch(`${mock.baseUrl}/order`, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()).data?.order_id ?? '';
  }
  const before = mock.snapshot();
  const orderId = await placeAt(at);
  const original = placedOrders.list().find(({ order }) => lettersOf(order.order_id) === lettersOf(orderId))
    ?.order.order_id;
  if (original === undefined || original === orderId) return;
  // The request waited until the next second before the order was placed.
  mock.restore(before);
  await placeAt(secondOf(original));
}

async function repeatStep(
  mock: TopupMock,
  world: SandboxWorld,
  step: Step,
  setTime: (at: number) => void,
): Promise<void> {
  setTime(step.at);
  switch (step.kind) {
    case 'order':
      return repeatOrder(mock, step, setTime);
    case 'act':
      return world.act(step.action, step.orderId);
    case 'advance':
      return world.advance(step.by);
    case 'scenario':
      return world.startScenario(step.name);
    case 'clear':
      return world.clearScenarios();
  }
}

/** Repeats the steps at their original times, so that every order gets the same id. It doesn't repeat the waits of `slow`. */
export async function replay(mock: TopupMock, world: SandboxWorld, steps: readonly Step[]): Promise<void> {
  const realNow = Date.now;
  const realSetTimeout = globalThis.setTimeout;
  const setTimeoutAtOnce = (work: () => void) => realSetTimeout(work);
  let ahead = 0;
  const setTime = (at: number): void => {
    Date.now = () => at - ahead;
  };
  Object.assign(globalThis, { setTimeout: setTimeoutAtOnce });
  try {
    for (const step of steps) {
      await repeatStep(mock, world, step, setTime);
      if (step.kind === 'advance') ahead += step.by;
    }
  } catch (error) {
    console.warn('The sandbox could not be restored completely.', error);
  } finally {
    Object.assign(globalThis, { setTimeout: realSetTimeout });
    Date.now = realNow;
  }
}
