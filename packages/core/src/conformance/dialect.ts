import {
  answerSchemas,
  type Dialect,
  emptyFieldsOf,
  operations,
  pathPattern,
  routes,
  servedOperations,
} from '../contract/index.ts';

type Read = (key: string, value: unknown) => unknown;

const { products, fields } = answerSchemas.getGame.shape.data.shape;
const product = emptyFieldsOf(products.def.element);
const targetField = emptyFieldsOf(fields.def.element);
const invoiceOrder = emptyFieldsOf(answerSchemas.getInvoice.shape.order);

/** Fields that the open points write as null when they are empty, by a field that what they belong to always has. */
const nulls: [owner: string, empty: readonly string[]][] = [
  ['id_games', invoiceOrder.nulls],
  ['selling_price', product.nulls],
];

/** Fields that the open points leave out when they are empty. */
const leftOut = new Set([...invoiceOrder.leftOut, ...targetField.leftOut]);

const swapped = (names: Record<string, string>): Map<unknown, string> =>
  new Map(Object.entries(names).map(([ours, theirs]) => [theirs, ours]));

function nullsFilledIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const [, fields = []] = nulls.find(([owner]) => Object.hasOwn(value, owner)) ?? [];
  const missing = fields.filter((field) => !Object.hasOwn(value, field));
  return { ...Object.fromEntries(missing.map((field) => [field, null])), ...value };
}

const emptyReaders: Record<Dialect['emptyFields'], Read> = {
  documented: (_key, value) => value,
  null: (key, value) => (value === null && leftOut.has(key) ? undefined : value),
  absent: (_key, value) => (Array.isArray(value) ? value : nullsFilledIn(value)),
};

/**
 * Reads the JSON of a response as if its service spoke this kit's own dialect, so that one case fits all of them;
 * undefined when it is none.
 */
export function readInDialect(text: string, dialect: Dialect): unknown {
  const { paymentStatuses, buyStatuses, emptyFields } = dialect;
  const names: Record<string, Map<unknown, string>> = {
    payment_status: swapped(paymentStatuses),
    buy_status: swapped(buyStatuses),
  };
  try {
    return JSON.parse(text, (key, value: unknown) =>
      emptyReaders[emptyFields](key, names[key]?.get(value) ?? value),
    );
  } catch {
    return undefined;
  }
}

/** A request of a case, as far as it may lean on an extension. */
interface Sent {
  path: string;
  headers: Headers;
  body: string | undefined;
}

const patterns = operations.map((operation) => ({ operation, pattern: pathPattern(operation) }));

/** What a request needs that the dialect says the service doesn't have; undefined when it needs nothing of the kind. */
export function missingExtension(dialect: Dialect, { path, headers, body }: Sent): string | undefined {
  const pathname = path.replace(/\?.*$/, '');
  const served = servedOperations(dialect);
  const missing = patterns.find(
    ({ operation, pattern }) => pattern.test(pathname) && !served.includes(operation),
  )?.operation;
  if (missing) return `the dialect has no ${routes[missing].method} ${routes[missing].path}`;
  if (dialect.idempotency === 'ignored' && headers.has('Idempotency-Key'))
    return 'the dialect ignores Idempotency-Key';
  if (dialect.acceptRequired && headers.get('Accept') !== 'application/json')
    return 'the dialect requires Accept';
  if (!dialect.messengerNumber && body?.includes('"messenger_number"'))
    return 'the dialect does not take messenger_number';
  return undefined;
}
