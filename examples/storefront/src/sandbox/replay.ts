import type { TopupMock } from '@topup-kit/mock';
import type { Step } from './steps.ts';
import type { SandboxWorld } from './world.ts';

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
