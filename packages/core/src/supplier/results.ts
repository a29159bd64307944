import * as z from 'zod/mini';
import { failureReasons } from '../contract/index.ts';
import type { SupplierProduct } from '../store/index.ts';
import type { DeliveryCallback, FindResult, SupplyResult } from './supplier.ts';

const supplierId = z.optional(z.string().check(z.minLength(1), z.maxLength(255)));

const results = [
  z.object({ state: z.literal('delivered'), serialNumber: z.string(), supplierId }),
  z.object({
    state: z.literal('failed'),
    reason: z.string(),
    kind: z.optional(z.enum(failureReasons)),
    supplierId,
  }),
  z.object({
    state: z.literal('pending'),
    waitsFor: z.optional(z.literal('balance')),
    reason: z.optional(z.string()),
    supplierId,
  }),
] as const;

const supplyResult = z.discriminatedUnion('state', results);
const findResult = z.discriminatedUnion('state', [...results, z.object({ state: z.literal('absent') })]);

const moment = z.int();
const supplierProducts = z.array(
  z.object({
    code: z.string(),
    price: z.exactOptional(z.int().check(z.nonnegative())),
    name: z.exactOptional(z.string()),
    brand: z.exactOptional(z.string()),
    category: z.exactOptional(z.string()),
    isAvailable: z.boolean(),
    stock: z.nullable(z.int().check(z.nonnegative())),
    isOncePerDay: z.boolean(),
    pause: z.nullable(z.object({ from: moment, until: moment })),
  }),
);

const news = z.object({
  reference: z.nullable(z.string()),
  supplierId: z.nullable(z.string().check(z.minLength(1), z.maxLength(255))),
  result: z.nullable(supplyResult),
});

function parse<Result>(schema: z.ZodMiniType<Result>, result: unknown, call: string): Result {
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = ['result', ...(issue?.path ?? [])].join('.');
  throw new TypeError(
    `The supplier's ${call} returned an invalid ${place}: see its type in @topup-kit/server.`,
  );
}

/**
 * Checks what an adapter returned, because no type checks it when the program runs.
 *
 * @throws TypeError that names the invalid field.
 */
export const parseSupplyResult = (result: unknown): SupplyResult => parse(supplyResult, result, 'submit');

/** Like {@link parseSupplyResult}, for `find`. */
export const parseFindResult = (result: unknown): FindResult => parse(findResult, result, 'find');

/** Like {@link parseSupplyResult}, for `readProducts`. */
export const parseSupplierProducts = (result: unknown): SupplierProduct[] =>
  parse(supplierProducts, result, 'readProducts');

/** Like {@link parseSupplyResult}, for the news of a callback. */
export const parseDeliveryCallback = (value: unknown): DeliveryCallback =>
  parse(news, value, 'callbacks.read');
