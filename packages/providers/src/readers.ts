import * as z from 'zod/mini';
import type { ProviderHttp } from './http.ts';

// Providers write numbers as numbers or as strings, whatever their documentation says. Ambiguous values are rejected.

/** Tells whether a string such as `19.500` is ambiguous: it may mean 19,500 or 19.5. */
const isGrouped = (text: string): boolean => /^\d{1,3}\.\d{3}$/.test(text);

/** Schema of a number, or its text without a thousands separator. */
export const decimal = z.union([
  z.number(),
  z.pipe(
    z.string().check(
      z.regex(/^\d{1,15}(\.\d+)?$/),
      z.refine((text) => !isGrouped(text)),
    ),
    z.transform(Number),
  ),
]);

/** Schema of a whole number from 0, or its text, possibly with zero decimals. */
export const whole = z.union([
  z.int().check(z.nonnegative()),
  z.pipe(
    z.string().check(z.regex(/^\d{1,15}(\.0{1,2})?$/)),
    z.transform((text) => Number.parseInt(text, 10)),
  ),
]);

/** Tells whether a number can be a price. No price is 19.5 rupiah: this would be 19.500 with a thousands separator. */
const isPrice = (rupiah: number): boolean => Number.isInteger(rupiah) || rupiah >= 1_000;

/** Schema of a cost in whole rupiah, rounded up so that the cost never seems lower. */
export const cost = z.pipe(
  decimal.check(z.refine(isPrice)),
  z.pipe(
    z.transform((rupiah: number) => Math.ceil(rupiah)),
    z.int().check(z.nonnegative()),
  ),
);

/** Schema of the cost in the response to a purchase. An unreadable cost counts as missing, and the purchase still counts. */
export const purchaseCost = z.catch(z.optional(cost), undefined);

/** Schema of yes or no, also as 1 or 0, or as text. */
export const flag = z.union([
  z.boolean(),
  z.pipe(
    z.enum({ yes: 1, no: 0, yesText: '1', noText: '0', trueText: 'true', falseText: 'false' }),
    z.transform((value) => ['1', 'true'].includes(String(value))),
  ),
]);

/** Schema of a string that a provider may write as a number, such as an id. */
export const text = z.pipe(z.union([z.string(), z.int()]), z.transform(String));

/** Schema of a string that is not empty, and may be a number. */
export const id = text.check(z.minLength(1), z.maxLength(255));

/** Schema of a descriptive word. An unreadable word counts as missing. */
export const word = z.catch(z.optional(text), undefined);

/** Schema of a string; null if it is missing or empty. */
export const textOrNull = z.pipe(
  z.nullish(text),
  z.transform((value) => value || null),
);

/** Schema of a code with two digits, which lacks its leading zero if it is a number. */
export const twoDigits = z.pipe(
  text,
  z.pipe(
    z.transform((code: string) => code.padStart(2, '0')),
    z.string().check(z.regex(/^\d\d$/)),
  ),
);

/** Maximum number of rows in one warning. */
const maxReported = 10;

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
    value,
  );

function whyUnreadable(row: unknown, { issues }: z.core.$ZodError): string {
  const path = issues[0]?.path ?? [];
  const value = JSON.stringify(at(row, path));
  return `${path.join('.') || 'it'} is ${value === undefined ? 'missing' : value.slice(0, 60)}`;
}

/** Reads all readable rows of a list. */
export type RowReader = <Row>(
  rows: readonly unknown[],
  schema: z.ZodMiniType<Row>,
  /** Request for the list, and the field that identifies a row. */
  list: { about: string; name: string },
) => Row[];

/**
 * Creates a reader that skips unreadable rows, so that they are never sold, and warns of each row once, with the reason.
 *
 * @throws ProviderError if no row can be read.
 */
export function createRowReader(http: ProviderHttp, warn: (text: string) => void = () => {}): RowReader {
  let reported = new Set<string>();
  return (rows, schema, { about, name }) => {
    const unreadable: string[] = [];
    const read = rows.flatMap((row, index) => {
      const { success, data, error } = schema.safeParse(row);
      if (success) return [data];
      const code = at(row, [name]);
      const named = typeof code === 'string' && code !== '' ? code.slice(0, 60) : index + 1;
      unreadable.push(`${about}: the row ${named} is left out, because ${whyUnreadable(row, error)}.`);
      return [];
    });
    const [first] = unreadable;
    if (first !== undefined && read.length === 0) throw http.error(`${about} got no readable rows. ${first}`);
    const unreported = unreadable.filter((line) => !reported.has(line));
    reported = new Set(unreadable);
    for (const line of unreported.slice(0, maxReported)) warn(http.error(line).message);
    if (unreported.length > maxReported)
      warn(http.error(`${about}: ${unreported.length - maxReported} more rows are left out.`).message);
    return read;
  };
}
