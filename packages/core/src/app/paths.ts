import { operations, pathPattern } from '../contract/index.ts';

/** The paths of this kit's own routes, outside the interface. Each includes the paths below it. */
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

/** Routes that monitoring and other machines poll. */
export const probePaths: ReadonlySet<string> = new Set([
  ownPaths.live,
  ownPaths.ready,
  ownPaths.health,
  ownPaths.metrics,
]);

/** Callback paths for each kind of provider, as live services have them (open points: routes). */
export const callbackPaths = {
  gateway: `${ownPaths.callback}/:provider`,
  supplier: '/:provider/webhook',
} as const;

const callbackPatterns = Object.values(callbackPaths).map(
  (path) => new RegExp(`^${path.replace(':provider', '[^/]+')}$`),
);

export const isCallbackPath = (path: string): boolean =>
  callbackPatterns.some((pattern) => pattern.test(path));

/** Shortens a path for a message. */
export const shortPath = (path: string): string => (path.length > 100 ? `${path.slice(0, 100)}…` : path);

/** Tells whether a path is a route or below it. */
export const isRouteOrChild = (path: string, route: string): boolean =>
  path === route || path.startsWith(`${route}/`);

const isOwnPath = (path: string): boolean =>
  path === '/' || isCallbackPath(path) || Object.values(ownPaths).some((own) => isRouteOrChild(path, own));

const operationPatterns = operations.map(pathPattern);

/** Tells whether a path belongs to the interface, even if no operation has it. The dialect applies only to these. */
export function isInterfacePath(path: string, basePath: string): boolean {
  if (basePath !== '') return path.startsWith(`${basePath}/`);
  // `/games/webhook` may be a game.
  return !isOwnPath(path) || operationPatterns.some((pattern) => pattern.test(path));
}
