import type { MockRequest, ScenarioName, TopupMock } from '@topup-kit/mock';
import type { SandboxWorld } from './world.ts';

export const actions = ['pay', 'fail', 'expire', 'deliver'] as const;
export type Action = (typeof actions)[number];

/** Something that was done to the world by hand; `at` is unix milliseconds of world time. */
export type Deed =
  | { kind: 'act'; at: number; action: Action; orderId: string }
  | { kind: 'advance'; at: number; by: number }
  | { kind: 'scenario'; at: number; name: ScenarioName }
  | { kind: 'clear'; at: number };

/** Something that changed the world: an order that was asked for, or a deed. */
export type Step = Deed | { kind: 'order'; at: number; body: unknown; status: number };

/** A deed, and how many requests there had been. */
export interface NotedDeed {
  after: number;
  deed: Deed;
}

/**
 * Requests and deeds in the order in which they came. Reads change nothing, nor do requests that never got through: they
 * are left out.
 */
export function stepsOf(requests: readonly MockRequest[], deeds: readonly NotedDeed[]): Step[] {
  const ordered = requests.flatMap(({ operation, at, body, status }, place) =>
    operation === 'createOrder' && status !== null
      ? [{ place: place + 0.5, step: { kind: 'order', at, body, status } satisfies Step }]
      : [],
  );
  return [...ordered, ...deeds.map(({ after, deed }) => ({ place: after, step: deed }))]
    .sort((one, other) => one.place - other.place)
    .map(({ step }) => step);
}

const stored = 'kilat:sandbox';

interface Kept {
  seed: number;
  steps: Step[];
}

/** What the tab's world was before the page was loaded anew. */
export function readKept(): Kept | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(stored) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a world over a reload: it is its seed, and what was done. */
export const keepOnLeaving = (world: SandboxWorld): void =>
  addEventListener('pagehide', () =>
    sessionStorage.setItem(stored, JSON.stringify({ seed: world.seed, steps: world.steps() } satisfies Kept)),
  );

async function doAgain(mock: TopupMock, world: SandboxWorld, step: Step): Promise<void> {
  switch (step.kind) {
    case 'order':
      await mock.fetch(`${mock.baseUrl}/order`, {
        method: 'POST',
        headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
        body: JSON.stringify(step.body),
      });
      return;
    case 'act':
      return world.act(step.action, step.orderId);
    case 'advance':
      return world.advance(step.by);
    case 'scenario':
      return world.use(step.name);
    case 'clear':
      return world.clear();
  }
}

/** Does the steps again at their own times, so that every order gets the id that it had. */
export async function replay(mock: TopupMock, world: SandboxWorld, steps: readonly Step[]): Promise<void> {
  const realNow = Date.now;
  let ahead = 0;
  try {
    for (const step of steps) {
      Date.now = () => step.at - ahead;
      await doAgain(mock, world, step);
      if (step.kind === 'advance') ahead += step.by;
    }
  } catch (error) {
    console.warn('The sandbox could not be brought back as it was.', error);
  } finally {
    Date.now = realNow;
  }
}
