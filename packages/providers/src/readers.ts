import * as z from 'zod/mini';
import type { ProviderHttp } from './http.ts';

// Providers write numbers as numbers or as texts, whatever their documentation says. What may mean two things is not read.

/** `19.500` may be 19,500 or 19.5, so that it is neither. */
const isGrouped = (text: string): boolean => /^\d{1,3}\.\d{3}$/.test(text);

/** A number, or a text of one without a separator of thousands. */
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

/** A whole number from 0, also as a text, and with decimals that are zero. */
export const whole = z.union([
  z.int().check(z.nonnegative()),
  z.pipe(
    z.string().check(z.regex(/^\d{1,15}(\.0{1,2})?$/)),
    z.transform((text) => Number.parseInt(text, 10)),
  ),
]);

/** Nothing costs 19.5 rupiah: that is 19.500 with a separator of thousands. */
const isPrice = (rupiah: number): boolean => Number.isInteger(rupiah) || rupiah >= 1_000;

/** What something costs, in whole rupiah: rounded up, so that it never seems cheaper than it is. */
export const cost = z.pipe(
  decimal.check(z.refine(isPrice)),
  z.pipe(
    z.transform((rupiah: number) => Math.ceil(rupiah)),
    z.int().check(z.nonnegative()),
  ),
);

/** What a purchase costs, in the response to it. One that can't be read is as good as none: the purchase counts all the same. */
export const purchaseCost = z.catch(z.optional(cost), undefined);

/** Yes or no, also as 1 or 0 and as a text. */
export const flag = z.union([
  z.boolean(),
  z.pipe(
    z.enum({ yes: 1, no: 0, yesText: '1', noText: '0', trueText: 'true', falseText: 'false' }),
    z.transform((value) => ['1', 'true'].includes(String(value))),
  ),
]);

/** A text that a provider may write as a number, such as an id. */
export const text = z.pipe(z.union([z.string(), z.int()]), z.transform(String));

/** A text that is not empty, and may be a number. */
export const id = text.check(z.minLength(1), z.maxLength(255));

/** A word that only describes: one that can't be read is as good as none. */
export const word = z.catch(z.optional(text), undefined);

/** A text; null when it is missing or empty. */
export const textOrNull = z.pipe(
  z.nullish(text),
  z.transform((value) => value || null),
);

/** A code of two digits, of which a number has no leading zero. */
export const twoDigits = z.pipe(
  text,
  z.pipe(
    z.transform((code: string) => code.padStart(2, '0')),
    z.string().check(z.regex(/^\d\d$/)),
  ),
);

/** How many rows are told of at once. */
const maxTold = 10;

/** Follows a path into a value. */
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

/** Reads the rows of a list that can be read. */
export type RowReader = <Row>(
  rows: readonly unknown[],
  schema: z.ZodMiniType<Row>,
  /** The request, and the field that names a row. */
  list: { about: string; name: string },
) => Row[];

/**
 * Leaves a row out that can't be read, so that nobody buys what nobody understands, and tells which and why, each once.
 *
 * @throws ProviderError when no row can be read.
 */
export function createRowReader(http: ProviderHttp, warn: (text: string) => void = () => {}): RowReader {
  let told = new Set<string>();
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
    if (first !== undefined && read.length === 0)
      throw http.error(`${about} got rows of which none can be read. ${first}`);
    const untold = unreadable.filter((line) => !told.has(line));
    told = new Set(unreadable);
    for (const line of untold.slice(0, maxTold)) warn(http.error(line).message);
    if (untold.length > maxTold)
      warn(http.error(`${about}: ${untold.length - maxTold} more rows are left out.`).message);
    return read;
  };
}
