import { type Route, routes } from '@topup-kit/core/contract';
import type { Call } from './calls.ts';
import { logWarning } from './console.ts';
import type { MockConfig } from './options.ts';

/** How many letters must be added, dropped or changed to make one text of another (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries())
      next.push(
        Math.min(
          (row[column] ?? 0) + (letter === other ? 0 : 1),
          (row[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** What mistakes weigh, where a part of a path that is all wrong weighs 1. */
const weight = { method: 0.25, missingPart: 0.6 };

/** How far a part of a path is from a route's, from 0 to 1; a parameter takes any. */
function partDistance(asked: string | undefined, part: string | undefined): number {
  if (asked === undefined || part === undefined || asked === '') return weight.missingPart;
  return part.startsWith('{') ? 0 : distance(asked, part) / Math.max(asked.length, part.length);
}

function pathDistance(asked: readonly string[], parts: readonly string[]): number {
  let sum = 0;
  for (let index = 0; index < Math.max(asked.length, parts.length); index += 1)
    sum += partDistance(asked[index], parts[index]);
  return sum;
}

const partsOf = (path: string): string[] => path.split('/').slice(1);

/** The route that a call was most likely meant for, such as `POST /order`. */
function nearestRoute(method: string, path: string): string {
  const asked = partsOf(path.toLowerCase());
  const candidates = Object.values<Route>(routes).map((route) => ({
    text: `${route.method} ${route.path}`,
    far: pathDistance(asked, partsOf(route.path)) + (route.method === method ? 0 : weight.method),
  }));
  return candidates.reduce((best, one) => (one.far < best.far ? one : best)).text;
}

/** Warns a developer of what is easily overlooked. */
interface Warnings {
  /** A call that matches no operation of the service. */
  unmatched(call: Call): void;
  /** A call that failed by chance, which only the seed can repeat; warned of once. */
  failedByChance(call: Call): void;
}

export function createWarnings({ baseUrl, seed, seedIsDrawn }: MockConfig): Warnings {
  let seedIsKnown = !seedIsDrawn;
  return {
    unmatched({ method, path, operation }) {
      const what = `${method} ${baseUrl}${path}`;
      if (operation)
        logWarning(`${what} is an extension that this service does not have (its profile or dialect).`);
      else
        logWarning(`${what} matches no route of the interface. Did you mean ${nearestRoute(method, path)}?`);
    },
    failedByChance({ method, path }) {
      if (seedIsKnown) return;
      seedIsKnown = true;
      logWarning(
        `${method} ${path} failed by chance (scenario flaky): createTopupMock({ seed: ${seed} }) repeats it.`,
      );
    },
  };
}
