import { type Dialect, operations, routes, servedOperations } from '../../contract/index.ts';

/** A request of a case, as far as it may lean on an extension. */
interface Sent {
  path: string;
  headers: Headers;
  body: string | undefined;
}

const patterns = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${routes[operation].path.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`),
}));

/** What a request needs that the dialect says the service doesn't have; undefined when it needs nothing of the kind. */
export function missingExtension(dialect: Dialect, { path, headers, body }: Sent): string | undefined {
  const asked = patterns.filter(({ pattern }) => pattern.test(path)).map(({ operation }) => operation);
  const [missing] = asked.filter((operation) => !servedOperations(dialect).includes(operation));
  if (missing) return `the dialect has no ${routes[missing].method} ${routes[missing].path}`;
  if (dialect.idempotency === 'ignored' && headers.has('Idempotency-Key'))
    return 'the dialect ignores Idempotency-Key';
  if (dialect.acceptRequired && headers.get('Accept') !== 'application/json')
    return 'the dialect requires Accept';
  if (!dialect.messengerNumber && body?.includes('"messenger_number"'))
    return 'the dialect does not take messenger_number';
  return undefined;
}
