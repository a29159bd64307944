import * as z from 'zod/mini';
import { parseResult } from '../callback/index.ts';
import { failureReasons, storableText } from '../contract/index.ts';
import type { SupplierProduct } from '../store/index.ts';
import type { DeliveryCallback, FindPurchaseResult, PurchaseResult } from './supplier.ts';

/** A string from a supplier, with only characters that clients and stores can keep. */
const text = z.string().check(z.overwrite(storableText));

const ofPurchase = {
  supplierId: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
  cost: z.optional(z.int().check(z.nonnegative())),
};

const results = [
  z.object({ state: z.literal('delivered'), serialNumber: text, ...ofPurchase }),
  z.object({
    state: z.literal('failed'),
    reason: text,
    kind: z.optional(z.enum(failureReasons)),
    isTemporary: z.optional(z.boolean()),
    ...ofPurchase,
  }),
  z.object({
    state: z.literal('pending'),
    waitsFor: z.optional(z.enum(['balance', 'supplier', 'product'])),
    reason: z.optional(text),
    ...ofPurchase,
  }),
] as const;

const supplyResult = z.discriminatedUnion('state', results);
const findResult = z.discriminatedUnion('state', [...results, z.object({ state: z.literal('absent') })]);

const moment = z.int();
const supplierProducts = z.array(
  z.object({
    code: text,
    price: z.exactOptional(z.int().check(z.nonnegative())),
    name: z.exactOptional(text),
    brand: z.exactOptional(text),
    category: z.exactOptional(text),
    isAvailable: z.boolean(),
    stock: z.nullable(z.int().check(z.nonnegative())),
    isOncePerDay: z.boolean(),
    pause: z.nullable(z.object({ from: moment, until: moment })),
  }),
);

const callback = z.object({
  reference: z.nullable(z.string()),
  supplierId: z.nullable(z.string().check(z.minLength(1), z.maxLength(255))),
  result: z.nullable(supplyResult),
});

/** Checks a result of `submit`, like {@link parseResult}. */
export const parsePurchaseResult = (result: unknown): PurchaseResult =>
  parseResult(supplyResult, result, "supplier's submit");

/** Checks a result of `find`, like {@link parseResult}. */
export const parseFindPurchaseResult = (result: unknown): FindPurchaseResult =>
  parseResult(findResult, result, "supplier's find");

/** Checks a result of `readProducts`, like {@link parseResult}. */
export const parseSupplierProducts = (result: unknown): SupplierProduct[] =>
  parseResult(supplierProducts, result, "supplier's readProducts");

/** Checks a parsed callback, like {@link parseResult}. */
export const parseDeliveryCallback = (value: unknown): DeliveryCallback =>
  parseResult(callback, value, "supplier's callbacks.read");
