import { type Dialect, kitDialect, type Operation, statusReplacer } from '../../contract/index.ts';
import type { Answer } from '../answer.ts';

/** The answers that show what the interface leaves open; the others are the same in every dialect. */
const open: ReadonlySet<Operation> = new Set(['getGame', 'getCheckout', 'getInvoice', 'getPaymentStatus']);

/** Fields whose null the interface states (2.3), or this kit as a departure from it (2.4). */
const stated: ReadonlySet<string> = new Set(['qr_url', 'promo_code']);

/** What the kit leaves out where there is nothing to say, by the name of what it is left out of. */
const leftOut: Record<string, readonly string[]> = {
  order: ['qr_string', 'qr_image_url', 'serial_number'],
  fields: ['options'],
};

type Write = (key: string, value: unknown) => unknown;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An object with null where it has nothing to say; a list with all of its objects so. */
function withNulls(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => withNulls(one, fields));
  if (!isObject(value)) return value;
  const missing = fields.filter((field) => !Object.hasOwn(value, field));
  return { ...value, ...Object.fromEntries(missing.map((field) => [field, null])) };
}

const emptyWriters: Record<Dialect['emptyFields'], Write> = {
  documented: (_key, value) => value,
  null: (key, value) => withNulls(value, leftOut[key] ?? []),
  absent: (key, value) => (value === null && !stated.has(key) ? undefined : value),
};

/** What a dialect says otherwise in the bodies of answers. */
const sayings = ({ paymentStatuses, buyStatuses, emptyFields }: Dialect): string =>
  JSON.stringify([paymentStatuses, buyStatuses, emptyFields]);

/** Writes the answer of an operation in a dialect; this kit's own is written as it is. */
export function answerTranslator(dialect: Dialect): (operation: Operation, answer: Answer) => Answer {
  if (sayings(dialect) === sayings(kitDialect)) return (_operation, answer) => answer;
  const statuses = statusReplacer(dialect);
  const emptiness = emptyWriters[dialect.emptyFields];
  const write: Write = (key, value) => emptiness(key, statuses(key, value));
  return (operation, answer) => {
    if (!open.has(operation) || typeof answer.body !== 'string') return answer;
    return { ...answer, body: JSON.stringify(JSON.parse(answer.body), write) };
  };
}
