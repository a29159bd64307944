import type { Call } from '../calls.ts';
import type { MockConfig } from '../config.ts';
import { warn } from '../loud.ts';
import { nearestRoute } from './nearest-route.ts';

/** Tells whoever develops what is easily overlooked. */
export interface Teller {
  /** A call that nothing answers. */
  unmatched(call: Call): void;
  /** A call that failed by chance, which can only be seen again by whoever knows the seed; told once. */
  chance(call: Call): void;
}

export function createTeller({ baseUrl, seed, seedIsDrawn }: MockConfig): Teller {
  let seedIsKnown = !seedIsDrawn;
  return {
    unmatched({ method, path, operation }) {
      const what = `${method} ${baseUrl}${path}`;
      if (operation)
        warn(`${what} is an extension that this service does not have (its profile or dialect).`);
      else warn(`${what} matches no route of the interface. Did you mean ${nearestRoute(method, path)}?`);
    },
    chance({ method, path }) {
      if (seedIsKnown) return;
      seedIsKnown = true;
      warn(
        `${method} ${path} failed by chance (scenario flaky): createTopupMock({ seed: ${seed} }) repeats it.`,
      );
    },
  };
}
