import type { MockRequest, ScenarioName } from '@topup-kit/mock';

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
