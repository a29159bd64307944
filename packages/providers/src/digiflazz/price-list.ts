import type { SupplierProduct } from '@topup-kit/core/supplier';
import * as z from 'zod/mini';
import { cost, flag, id, whole, word } from '../readers.ts';

const timeOfDay = z.string().check(z.regex(/^\d{1,2}:\d{1,2}(:\d{1,2})?$/));

export const priceListSchema = z.object({ data: z.array(z.unknown()) });

export const productSchema = z.object({
  buyer_sku_code: id,
  product_name: word,
  brand: word,
  category: word,
  price: cost,
  buyer_product_status: flag,
  seller_product_status: flag,
  unlimited_stock: flag,
  /** Some lists have negative stock. */
  stock: z.union([whole, z.number()]),
  multi: flag,
  start_cut_off: timeOfDay,
  end_cut_off: timeOfDay,
});

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Offset of Jakarta's time, which Digiflazz uses; it has no summer time. */
const jakartaOffsetMs = 7 * 3_600_000;

/** Returns the milliseconds from midnight to a time such as `23:45`. */
const sinceMidnight = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return (hours * 60 + minutes) * minuteMs;
};

/** Returns today's cut-off hours, or the next cut-off hours; they may cross midnight. */
function pauseOf(start: string, end: string, now: number): SupplierProduct['pause'] {
  const length = (sinceMidnight(end) - sinceMidnight(start) + dayMs) % dayMs;
  if (length === 0) return null;
  const midnight = Math.floor((now + jakartaOffsetMs) / dayMs) * dayMs - jakartaOffsetMs;
  const from = [-dayMs, 0, dayMs]
    .map((day) => midnight + day + sinceMidnight(start))
    .find((begin) => begin + length > now);
  return from === undefined ? null : { from, until: from + length };
}

/** Converts a product of the price list to the form that a shop reads. */
export function supplierProduct(data: z.infer<typeof productSchema>, now: number): SupplierProduct {
  const { product_name: name, brand, category } = data;
  return {
    code: data.buyer_sku_code,
    price: data.price,
    ...(name !== undefined && { name }),
    ...(brand !== undefined && { brand }),
    ...(category !== undefined && { category }),
    isAvailable: data.buyer_product_status && data.seller_product_status,
    stock: data.unlimited_stock ? null : Math.max(0, Math.floor(data.stock)),
    isOncePerDay: !data.multi,
    pause: pauseOf(data.start_cut_off, data.end_cut_off, now),
  };
}
