import { errorBody, type Fields } from '@topup-kit/core/contract';
import { DomainError } from '@topup-kit/core/engine';
import {
  actionsTo,
  checkWorldOffset,
  controls,
  createKeptSnapshots,
  type MockWebhooks,
  readControlInput,
  type Sandbox,
} from '@topup-kit/core/features/sandbox';
import type { MockSnapshot, Worlds } from './world/worlds.ts';

interface SandboxParts {
  worlds: Worlds;
  webhooks: MockWebhooks;
  note(): void;
  reset(): void;
  orderOf: Sandbox['orderOfWebhook'];
  snapshot(): MockSnapshot;
  restore(snapshot: unknown): void;
}

/** Adapts the mock to a sandbox, so that sandbox controls work on it. Each reset replaces its world. */
function sandboxOf({ worlds, webhooks, note, reset, orderOf, ...parts }: SandboxParts): Sandbox {
  const { current } = worlds;
  const snapshots = createKeptSnapshots<MockSnapshot>();

  async function noted<Result>(work: Promise<Result>): Promise<Result> {
    const result = await work;
    note();
    return result;
  }

  return {
    act: (orderId, action, reason) => noted(current().act(orderId, action, reason)),
    async find(orderId) {
      const world = current();
      await world.catchUp();
      return world.sandbox.find(orderId);
    },
    complete: (order) => current().sandbox.complete(order),
    async create(order, { state = 'UNPAID / Pending', reason } = {}) {
      const world = current();
      const { orderId } = await noted(world.sandbox.create(order));
      return world.faults.sparing(orderId, async () => {
        for (const action of actionsTo[state]) await noted(world.act(orderId, action, reason));
        return world.sandbox.find(orderId);
      });
    },
    advance: (by) => noted(current().advance(by)),
    reset: async () => reset(),
    chooseScenario: (name) => current().sandbox.chooseScenario(name),
    get active() {
      return current().sandbox.active;
    },
    get faults() {
      return current().faults;
    },
    async snapshot() {
      const snapshot = parts.snapshot();
      return { id: snapshots.add(snapshot), snapshot };
    },
    async restore({ id, snapshot }) {
      parts.restore(snapshot ?? snapshots.get(id));
    },
    async checkpoint() {
      const before = parts.snapshot();
      return async () => parts.restore(before);
    },
    async setClock(to) {
      const by = to - current().now();
      checkWorldOffset(current().sandbox.world().ahead + by);
      await noted(current().advance(by));
    },
    catalog: {
      read: () => current().sandbox.catalog.read(),
      replace: (document) => current().sandbox.catalog.replace(document),
    },
    webhooks,
    orderOfWebhook: orderOf,
    requests: () => current().requests,
    note,
    world: () => current().sandbox.world(),
  };
}

/** Runs a control of a sandbox by its name. Rejects with an Error that has a readable message. */
export type RunControl = (name: string, input: object) => Promise<object>;

export function createControlRunner(parts: SandboxParts): RunControl {
  const sandbox = sandboxOf(parts);
  return async (name, input) => {
    const control = controls[name];
    if (!control) throw new TypeError(`There is no control ${JSON.stringify(name)}.`);
    try {
      return await control.run(sandbox, readControlInput(control, { ...input } satisfies Fields));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      throw new Error(errorBody(error, 'message', { locale: 'en', currency: 'IDR' }).message, {
        cause: error,
      });
    }
  };
}
