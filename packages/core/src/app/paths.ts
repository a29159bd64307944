import { type Operation, operations, pathPattern, type Route, routes } from '../contract/index.ts';
import type { CallbackSource } from '../engine/index.ts';

/** The paths of this kit's own routes, which are beside the interface. Each includes what is below it. */
export const ownPaths = {
  assets: '/assets',
  callback: '/callback',
  console: '/console',
  docs: '/docs',
  health: '/health',
  live: '/livez',
  metrics: '/metrics',
  openApi: '/openapi.json',
  pay: '/pay',
  ready: '/readyz',
  sandbox: '/sandbox',
} as const;

/** The routes that machines ask again and again. */
export const probePaths: ReadonlySet<string> = new Set([
  ownPaths.live,
  ownPaths.ready,
  ownPaths.health,
  ownPaths.metrics,
]);

/** The path of callbacks of each kind of provider, as live services have them (open points: routes). */
export const callbackPaths = {
  gateway: `${ownPaths.callback}/:provider`,
  supplier: '/:provider/webhook',
} as const satisfies Record<CallbackSource, string>;

const callbackPatterns = Object.values(callbackPaths).map(
  (path) => new RegExp(`^${path.replace(':provider', '[^/]+')}$`),
);

export const isCallbackPath = (path: string): boolean =>
  callbackPatterns.some((pattern) => pattern.test(path));

/** Whether a path is that of a route, or below it. */
export const isBelow = (path: string, route: string): boolean =>
  path === route || path.startsWith(`${route}/`);

const isOwnPath = (path: string): boolean =>
  path === '/' || isCallbackPath(path) || Object.values(ownPaths).some((own) => isBelow(path, own));

const operationPatterns = operations.map(pathPattern);

/** Whether a path belongs to the interface, also if no operation has it. The dialect applies only to these. */
export function isInterfacePath(path: string, basePath: string): boolean {
  if (basePath !== '') return path.startsWith(`${basePath}/`);
  // `/games/webhook` is a game.
  return !isOwnPath(path) || operationPatterns.some((pattern) => pattern.test(path));
}

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

  // Many clients join a base URL that ends in a slash and a path that begins with one.
  const joined = `${basePath}//`;

  return (method, target) => {
    const sent = pathOf(target);
    const path = sent.startsWith(joined) ? basePath + sent.slice(basePath.length + 1) : sent;
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
