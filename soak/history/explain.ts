import {
  after,
  type Effect,
  everyState,
  has,
  isOnce,
  mayFollow,
  own,
  type State,
  type StateSet,
  states,
} from './rules.ts';

/** Facts from an operation about one order. The operation happened at some moment between its start and its end. */
export type Step = { start: number; text: string } /** The order was in one of these states. */ & (
  | { kind: 'sees'; end: number; set: StateSet }
  /** The operation changed the order. */
  | { kind: 'changes'; end: number; effect: Effect }
  /** The operation may change the order at any moment after its start, or never. */
  | { kind: 'may change'; effect: Effect }
);

type EndedStep = Extract<Step, { end: number }>;

const maxOpen = 22;
const slotSpan = 2 ** maxOpen;

/**
 * Way in which all steps so far can have happened: the state, the open steps that have happened in it, and the changes of unknown outcome
 * that have happened. It is a number, so that ways can be compared.
 */
type Way = number;
const wayOf = (state: number, happened: number, used: number): Way =>
  (used * slotSpan + happened) * 8 + state;
const stateOf = (way: Way): number => way % 8;
const happenedIn = (way: Way): number => Math.floor(way / 8) % slotSpan;
const usedIn = (way: Way): number => Math.floor(way / 8 / slotSpan);

/** Possible results of an order's steps so far. */
export interface Explained {
  ways: readonly Way[];
  /** Changes of unknown outcome that may still happen. */
  unknown: readonly Effect[];
  /** States that the order may have had. */
  passed: StateSet;
  /** Expiry in unix milliseconds; infinite until it is known. */
  expiresAt: number;
}

export const unborn: Explained = {
  ways: [wayOf(0, 0, 0)],
  unknown: [],
  passed: 1,
  expiresAt: Number.NEGATIVE_INFINITY,
};

/** Returns the states in which an order can be. */
export const statesOf = ({ ways }: Pick<Explained, 'ways'>): StateSet =>
  ways.reduce((set, way) => set | (1 << stateOf(way)), 0);

/** Removes the changes of unknown outcome that can't happen any more. */
function forget(ways: readonly Way[], unknown: readonly Effect[]): Pick<Explained, 'ways' | 'unknown'> {
  const kept = unknown.flatMap((effect, index) =>
    ways.some((way) => !(usedIn(way) & (1 << index)) && mayFollow(effect, stateOf(way))) ? index : [],
  );
  const again = new Set(
    ways.map((way) => {
      const used = kept.reduce(
        (bits, index, place) => bits | (usedIn(way) & (1 << index) ? 1 << place : 0),
        0,
      );
      return wayOf(stateOf(way), 0, used);
    }),
  );
  return { ways: [...again], unknown: kept.flatMap((index) => unknown[index] ?? []) };
}

/**
 * Finds all ways in which the steps of an order can have happened one after another, each between its start and its end (a linearisation).
 * No later step has started before the last end of these steps.
 *
 * `onFault` is called with a step that makes all ways impossible, and with the states that were possible. The search then continues as if
 * the step were true.
 */
export function explain(
  before: Explained,
  steps: readonly Step[],
  onFault: (step: EndedStep, possible: readonly State[], wasPassed: boolean) => void,
): Explained {
  const { expiresAt } = before;
  const unknown = [...before.unknown];
  const open: (EndedStep | undefined)[] = [];
  let ways: readonly Way[] = before.ways;
  let { passed } = before;

  /** Returns a way in which all steps that only see its state have happened. */
  function seen(state: number, happened: number, used: number): Way {
    let all = happened;
    for (const [slot, step] of open.entries())
      if (step?.kind === 'sees' && has(step.set, state)) all |= 1 << slot;
    return wayOf(state, all, used);
  }

  /** Returns all ways that are possible until a moment. */
  function spread(moment: number): Set<Way> {
    const found = new Set<Way>();
    const add = (state: number | null, happened: number, used: number): void => {
      if (state !== null) found.add(seen(state, happened, used));
    };
    for (const way of ways) add(stateOf(way), happenedIn(way), usedIn(way));
    // A loop over a set also visits items that are added during the loop.
    for (const way of found) {
      const [state, happened, used] = [stateOf(way), happenedIn(way), usedIn(way)];
      for (const effect of own) add(after(effect, state), happened, used);
      if (moment >= expiresAt) add(after('expired', state), happened, used);
      for (const [slot, step] of open.entries())
        if (step?.kind === 'changes' && !(happened & (1 << slot)))
          add(after(step.effect, state), happened | (1 << slot), used);
      for (const [index, effect] of unknown.entries())
        if (!(used & (1 << index))) add(after(effect, state), happened, used | (1 << index));
    }
    return found;
  }

  function begin(step: Step): void {
    if (step.kind !== 'may change') {
      const free = open.indexOf(undefined);
      if (free === -1) open.push(step);
      else open[free] = step;
    } else if (!isOnce(step.effect) || !unknown.includes(step.effect)) unknown.push(step.effect);
    if (open.length > maxOpen || unknown.length > maxOpen)
      throw new Error('too much happens to one order at once for the checker');
  }

  function end(step: EndedStep): void {
    const slot = open.indexOf(step);
    const found = [...spread(step.end)];
    const possible = statesOf({ ways: found });
    const wasPassed = step.kind === 'sees' && (step.set & passed) !== 0;
    passed |= possible;
    open[slot] = undefined;
    const without = (way: Way): Way => wayOf(stateOf(way), happenedIn(way) & ~(1 << slot), usedIn(way));
    const left = new Set(found.filter((way) => happenedIn(way) & (1 << slot)).map(without));
    ways = [...left];
    if (ways.length > 0) return;
    onFault(
      step,
      states.filter((_, state) => has(possible, state)),
      wasPassed,
    );
    const set = step.kind === 'sees' ? step.set : everyState;
    ways = states.flatMap((_, state) => (has(set, state) ? wayOf(state, 0, 0) : []));
  }

  const events = steps.flatMap((step) => [
    { moment: step.start, run: () => begin(step), order: 0 },
    ...(step.kind === 'may change' ? [] : [{ moment: step.end, run: () => end(step), order: 1 }]),
  ]);
  // A step that starts when another one ends may have happened before it.
  for (const { run } of events.sort((a, b) => a.moment - b.moment || a.order - b.order)) run();
  return { ...forget(ways, unknown), passed, expiresAt };
}
