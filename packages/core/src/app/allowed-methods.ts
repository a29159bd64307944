import { type Operation, operations, routes } from '../contract/index.ts';

const patterns = operations.map((operation) => ({
  operation,
  method: routes[operation].method,
  pattern: new RegExp(`^${routes[operation].path.replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/** The methods that a path takes where only some operations are served; none for a path that isn't one of them. */
export function allowedMethods(path: string, served: readonly Operation[]): string[] {
  const methods = patterns
    .filter(({ operation, pattern }) => served.includes(operation) && pattern.test(path))
    .map(({ method }) => method);
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}
