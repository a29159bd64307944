import { type Operation, type Route, routes } from '../contract/index.ts';

/** An operation and the parameters in the path of a request to it. */
export interface MatchedOperation {
  operation: Operation;
  parameters: Record<string, string>;
}

/**
 * Finds the operation that a request is for, by its method and its target: the path and the query as they were sent. Null for
 * anything else, and when the target needs more reading than a comparison.
 */
export type MatchOperation = (method: string, target: string) => MatchedOperation | null;

/** A parameter that needs no decoding, and is no dot segment. */
const plainParameter = '([\\w~-][\\w.~-]*)';

/** Creates a {@link MatchOperation}, which costs less than a router. */
export function createMatcher(basePath: string, served: readonly Operation[]): MatchOperation {
  /** By target; a path without parameters has one operation. */
  const fixed = new Map<string, { method: string; matched: MatchedOperation }>();
  const patterns: { operation: Operation; method: string; pattern: RegExp; names: string[] }[] = [];
  for (const operation of served) {
    const { method, path }: Route = routes[operation];
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    if (names.length === 0) fixed.set(basePath + path, { method, matched: { operation, parameters: {} } });
    else
      patterns.push({
        operation,
        method,
        pattern: new RegExp(`^${path.replace(/\{\w+\}/g, plainParameter)}$`),
        names,
      });
  }

  return (method, target) => {
    const known = fixed.get(target);
    if (known) return known.method === method ? known.matched : null;
    if (!target.startsWith(basePath)) return null;
    const ownPath = target.slice(basePath.length);
    for (const { operation, method: wanted, pattern, names } of patterns) {
      const found = method === wanted ? pattern.exec(ownPath) : null;
      if (!found) continue;
      const parameters: Record<string, string> = {};
      names.forEach((name, index) => {
        parameters[name] = found[index + 1] ?? '';
      });
      return { operation, parameters };
    }
    return null;
  };
}
