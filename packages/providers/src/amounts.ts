import * as z from 'zod/mini';

/** A number, or a text of one. */
export const decimal = z.union([
  z.number(),
  z.pipe(z.string().check(z.regex(/^\d{1,15}(\.\d+)?$/)), z.transform(Number)),
]);

/** What something costs, in whole rupiah: rounded up, so that it never seems cheaper than it is. */
export const cost = z.pipe(
  decimal,
  z.pipe(
    z.transform((rupiah: number) => Math.ceil(rupiah)),
    z.int().check(z.nonnegative()),
  ),
);
