import { type Route, routes } from '../contract/index.ts';

const patterns = Object.values<Route>(routes).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/** The methods that a path of the interface takes; none for a path that isn't one. */
export function allowedMethods(path: string): string[] {
  const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}
