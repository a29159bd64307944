/** A process that may be killed at one of its steps: each is a moment before or after something that others can see. */
export interface Life {
  isAlive(): boolean;
  /** How many steps it took. */
  steps(): number;
  /** Resolves when it is killed. */
  death: Promise<void>;
  kill(): void;
  /** One more step; false once it is dead. */
  step(): boolean;
}

/** A life that ends at its step number `dieAt`, or never. */
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

/** What the dead wait for. */
const never = (): Promise<never> => new Promise(() => {});

/**
 * The object as a process that may be killed sees it: the calls of the named methods are steps, before and after, and no
 * call of the dead does or returns anything.
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
