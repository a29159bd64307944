import { type Operation, type Route, routes } from '../contract/index.ts';

/** An operation and the parameters in the path of a request to it. */
export interface MatchedOperation {
  operation: Operation;
  parameters: Record<string, string>;
}

/** Finds the operation that a request is for, by its method and its target: the path and the query as they were sent. */
type MatchOperation = (method: string, target: string) => MatchedOperation | null;

/** Decodes what can be decoded; anything else stays as it is. */
function decode(text: string, decoder: (text: string) => string): string {
  try {
    return decoder(text);
  } catch {
    return text.replace(/(?:%[\da-f]{2})+/gi, (part) => {
      try {
        return decoder(part);
      } catch {
        return part;
      }
    });
  }
}

/** The path of a target, decoded as the router does: an encoded slash stays encoded. */
export function pathOf(target: string): string {
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  return path.includes('%') ? decode(path.replaceAll('%25', '%2525'), decodeURI) : path;
}

const decodeParameter = (text: string): string =>
  text.includes('%') ? decode(text, decodeURIComponent) : text;

/** Creates a {@link MatchOperation}, which costs less than a router. */
export function createMatcher(basePath: string, served: readonly Operation[]): MatchOperation {
  /** By path; a path without parameters has one operation. */
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
        pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`),
        names,
      });
  }

  return (method, target) => {
    const path = pathOf(target);
    const handled = method === 'HEAD' ? 'GET' : method;
    const known = fixed.get(path);
    if (known) return known.method === handled ? known.matched : null;
    if (!path.startsWith(basePath)) return null;
    const ownPath = path.slice(basePath.length);
    for (const { operation, method: wanted, pattern, names } of patterns) {
      const match = handled === wanted ? pattern.exec(ownPath) : null;
      if (!match) continue;
      const parameters: Record<string, string> = {};
      names.forEach((name, index) => {
        parameters[name] = decodeParameter(match[index + 1] ?? '');
      });
      return { operation, parameters };
    }
    return null;
  };
}
