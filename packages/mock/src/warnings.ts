import { editDistance, type Route, routes } from '@topup-kit/core/contract';
import type { Call } from './calls.ts';
import { logWarning } from './console.ts';
import type { MockConfig } from './options.ts';

/** Weights of mistakes; a completely different path segment has weight 1. */
const weight = { method: 0.25, missingSegment: 0.6 };

/** Returns the distance between a path segment and a route's segment, from 0 to 1. A parameter matches any text. */
function segmentDistance(given: string | undefined, segment: string | undefined): number {
  if (given === undefined || segment === undefined || given === '') return weight.missingSegment;
  return segment.startsWith('{') ? 0 : editDistance(given, segment) / Math.max(given.length, segment.length);
}

function pathDistance(given: readonly string[], segments: readonly string[]): number {
  let sum = 0;
  for (let index = 0; index < Math.max(given.length, segments.length); index += 1)
    sum += segmentDistance(given[index], segments[index]);
  return sum;
}

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

/** Returns the most similar route, such as `POST /order`. */
function nearestRoute(method: string, path: string): string {
  const typed = segmentsOf(path.toLowerCase());
  const candidates = Object.values<Route>(routes).map((route) => ({
    text: `${route.method} ${route.path}`,
    distance: pathDistance(typed, segmentsOf(route.path)) + (route.method === method ? 0 : weight.method),
  }));
  return candidates.reduce((best, candidate) => (candidate.distance < best.distance ? candidate : best)).text;
}

interface Warnings {
  unmatched(call: Call): void;
  /** Warns once about a call that failed randomly, with the seed that repeats the failure. */
  failedByChance(call: Call): void;
}

export function createWarnings({ baseUrl, basePath, seed, seedIsRandom }: MockConfig): Warnings {
  let seedIsKnown = !seedIsRandom;
  /** Removes the base path from a path. It occurs twice if the client adds it again. */
  const relative = (path: string): string =>
    path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
  return {
    unmatched({ method, path, operation }) {
      const what = `${method} ${baseUrl}${path}`;
      if (operation)
        logWarning(`${what} is an extension that this service does not have (its profile or dialect).`);
      else if (method === 'OPTIONS')
        logWarning(
          `${what} is a CORS preflight, which the service does not support. jsdom sends it before an XMLHttpRequest (axios) to another origin: give the mock a baseUrl of the page's own origin, such as /api.`,
        );
      else
        logWarning(
          `${what} matches no route of the interface. Did you mean ${nearestRoute(method, relative(path))}?`,
        );
    },
    failedByChance({ method, path }) {
      if (seedIsKnown) return;
      seedIsKnown = true;
      logWarning(
        `${method} ${path} failed randomly (scenario flaky): createTopupMock({ seed: ${seed} }) repeats it.`,
      );
    },
  };
}
