import {
  type Dialect,
  emptyFieldsOf,
  operations,
  pathPattern,
  routes,
  servedOperations,
} from '@topup-kit/core/contract';
import { responseSchemas } from '@topup-kit/core/schemas';

type Read = (key: string, value: unknown) => unknown;

const { products, fields } = responseSchemas.getGame.shape.data.shape;
/** Fields that may be empty, by object. */
export const emptyFieldsIn = {
  product: emptyFieldsOf(products.def.element),
  targetField: emptyFieldsOf(fields.def.element),
  invoiceOrder: emptyFieldsOf(responseSchemas.getInvoice.shape.order),
};

/** Fields that the kit's dialect writes as null if they are empty. Each list has a field that its object always has. */
const nulls: [owner: string, empty: readonly string[]][] = [
  ['id_games', emptyFieldsIn.invoiceOrder.nulls],
  ['selling_price', emptyFieldsIn.product.nulls],
];

/** Fields that the kit's dialect leaves out if they are empty. */
const leftOut = new Set([...emptyFieldsIn.invoiceOrder.leftOut, ...emptyFieldsIn.targetField.leftOut]);

const swapped = (names: Record<string, string>): Map<unknown, string> =>
  new Map(Object.entries(names).map(([ours, theirs]) => [theirs, ours]));

function withNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const [, fields = []] = nulls.find(([owner]) => Object.hasOwn(value, owner)) ?? [];
  const missing = fields.filter((field) => !Object.hasOwn(value, field));
  return { ...Object.fromEntries(missing.map((field) => [field, null])), ...value };
}

const emptyReaders: Record<Dialect['emptyFields'], Read> = {
  documented: (_key, value) => value,
  null: (key, value) => (value === null && leftOut.has(key) ? undefined : value),
  absent: (_key, value) => (Array.isArray(value) ? value : withNulls(value)),
};

/**
 * Parses a response's JSON and translates it from the service's dialect to this kit's own, so that each case needs only one version.
 * Returns undefined if the text is not JSON.
 */
export function readInDialect(text: string, dialect: Dialect): unknown {
  const { paymentStatuses, buyStatuses, emptyFields } = dialect;
  const names: ReadonlyMap<string, Map<unknown, string>> = new Map(
    Object.entries<Map<unknown, string>>({
      payment_status: swapped(paymentStatuses),
      buy_status: swapped(buyStatuses),
    }),
  );
  try {
    return JSON.parse(text, (key, value: unknown) =>
      emptyReaders[emptyFields](key, names.get(key)?.get(value) ?? value),
    );
  } catch {
    return undefined;
  }
}

/** Parts of a request that can need an extension. */
interface RequestParts {
  path: string;
  headers: Headers;
  body: string | undefined;
}

const patterns = operations.map((operation) => ({ operation, pattern: pathPattern(operation) }));

/** Returns the extension that a request needs and the service's dialect lacks; undefined if there is none. */
export function missingExtension(
  dialect: Dialect,
  { path, headers, body }: RequestParts,
): string | undefined {
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
    return 'the dialect does not accept messenger_number';
  if (!dialect.returnUrl && body?.includes('"return_url"')) return 'the dialect does not read return_url';
  return undefined;
}
