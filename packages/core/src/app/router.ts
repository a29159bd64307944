import { type Operation, type Route, routes } from '../contract/index.ts';

/** An operation and the parameters in the path of a request to it. */
export interface MatchedOperation {
  operation: Operation;
  parameters: Record<string, string>;
}

/** Finds the operation of a request. This is faster than a general router. The site (`site.ts`) handles all other requests. */
export interface Router {
  /** Finds the operation for a method and a target (path and query as sent); null if there is none. */
  match(method: string, target: string): MatchedOperation | null;
  /** Returns the methods of a path below the base path; empty for an unknown path. */
  methodsOf(path: string): string[];
}

/** Decodes a string if possible; otherwise returns it unchanged. */
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

/** Returns a target's path, decoded in the same way as by the router: an encoded slash stays encoded. */
export function pathOf(target: string): string {
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  return path.includes('%') ? decode(path.replaceAll('%25', '%2525'), decodeURI) : path;
}

const decodeParameter = (text: string): string =>
  text.includes('%') ? decode(text, decodeURIComponent) : text;

const methodsOf = ({ method }: Route): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method]);

export function createRouter(basePath: string, served: readonly Operation[]): Router {
  /** Operations by paths without parameters; each has only one. */
  const fixed = new Map<string, MatchedOperation>();
  const patterns: { operation: Operation; method: string; pattern: RegExp; names: string[] }[] = [];
  for (const operation of served) {
    const { method, path }: Route = routes[operation];
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`);
    if (names.length === 0) fixed.set(basePath + path, { operation, parameters: {} });
    else patterns.push({ operation, method, pattern, names });
  }

  // Many clients join a base URL with a trailing slash and a path with a leading slash.
  const joined = `${basePath}//`;

  return {
    match(method, target) {
      const sent = pathOf(target);
      const path = sent.startsWith(joined) ? basePath + sent.slice(basePath.length + 1) : sent;
      const handled = method === 'HEAD' ? 'GET' : method;
      const known = fixed.get(path);
      if (known) return routes[known.operation].method === handled ? known : null;
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
    },
    methodsOf(path) {
      const known = fixed.get(basePath + path);
      if (known) return methodsOf(routes[known.operation]);
      return patterns
        .filter(({ pattern }) => pattern.test(path))
        .flatMap(({ operation }) => methodsOf(routes[operation]));
    },
  };
}
