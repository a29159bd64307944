/** Process that may be killed at one of its steps. Each step is a moment before or after an event that others can see. */
export interface Life {
  isAlive(): boolean;
  /** Returns the number of steps so far. */
  steps(): number;
  /** Resolves when the process is killed. */
  death: Promise<void>;
  kill(): void;
  /** Counts one more step; returns false when the process is dead. */
  step(): boolean;
}

/** Creates a life that ends at step number `dieAt`, or never. */
export function createLife(dieAt: number | null): Life {
  const { promise, resolve } = Promise.withResolvers<void>();
  let alive = true;
  let steps = 0;
  const kill = (): void => {
    alive = false;
    resolve();
  };
  return {
    isAlive: () => alive,
    steps: () => steps,
    death: promise,
    kill,
    step() {
      if (!alive) return false;
      steps += 1;
      if (steps === dieAt) kill();
      return alive;
    },
  };
}

/** Promise for which dead processes wait. */
const never = (): Promise<never> => new Promise(() => {});

/**
 * Wraps an object for a process that may be killed. There is a step before and after each call of the named methods. Calls of a dead
 * process do nothing, and return nothing.
 */
export function mortal<Target extends object>(
  target: Target,
  life: Life,
  steps: ReadonlySet<keyof Target | string>,
): Target {
  return new Proxy(target, {
    get(object, name, receiver) {
      const value: unknown = Reflect.get(object, name, receiver);
      if (typeof value !== 'function') return value;
      if (!steps.has(String(name)))
        return (...input: unknown[]) => (life.isAlive() ? value.apply(object, input) : never());
      return async (...input: unknown[]) => {
        if (!life.step()) return never();
        try {
          const result: unknown = await value.apply(object, input);
          return life.step() ? result : await never();
        } catch (error) {
          if (!life.step()) return never();
          throw error;
        }
      };
    },
  });
}
