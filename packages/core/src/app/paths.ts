import { operations, pathPattern } from '../contract/index.ts';

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
} as const;

const callbackPatterns = Object.values(callbackPaths).map(
  (path) => new RegExp(`^${path.replace(':provider', '[^/]+')}$`),
);

export const isCallbackPath = (path: string): boolean =>
  callbackPatterns.some((pattern) => pattern.test(path));

/** A path for a message. */
export const shortPath = (path: string): string => (path.length > 100 ? `${path.slice(0, 100)}…` : path);

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
