import type { SupplierProduct } from '@topup-kit/core/supplier';
import * as z from 'zod/mini';
import { cost } from '../http.ts';
import type { Level } from './settings.ts';

const id = z.union([z.int(), z.string()]);
/** A row that only adds a name: one that can't be read is as good as none. */
const named = z.catch(
  z.optional(z.object({ id, nama: z.string(), category_id: z.optional(id), operator_id: z.optional(id) })),
  undefined,
);
const rows = z._default(z.array(named), []);

/** The whole list: its products, and the tables in which they have their names. */
export const listSchema = z.object({
  data: z.object({ category: rows, operator: rows, jenis: rows, produk: z.array(z.unknown()) }),
});
type List = z.infer<typeof listSchema>['data'];

const productSchema = z.object({
  kode_produk: z.string().check(z.minLength(1)),
  nama: z.exactOptional(z.string()),
  price: cost,
  price_gold: cost,
  price_vip: cost,
  price_vvip: cost,
  status: z.union([z.int(), z.string()]),
  jenis_id: z.optional(id),
});
type Product = z.infer<typeof productSchema>;

const isAvailable = ({ status }: Product): boolean => String(status) === '1';

/** What an account pays. No response is documented to say its level, so that without one the highest price is assumed. */
function priceOf(product: Product, level: Level | undefined): number {
  const prices: Record<Level, number> = {
    member: product.price,
    gold: product.price_gold,
    vip: product.price_vip,
    vvip: product.price_vvip,
  };
  return level === undefined ? Math.max(...Object.values(prices)) : prices[level];
}

/** The products that can be read; nobody should buy what nobody understands. */
const productsOf = ({ produk }: List): Product[] =>
  produk.flatMap((input) => productSchema.safeParse(input).data ?? []);

/** The names of a product's game and category, by way of its kind. */
function namesOf({ jenis, operator, category }: List, { jenis_id: kindId }: Product) {
  const find = (table: List['jenis'], wanted: z.infer<typeof id> | undefined) =>
    wanted === undefined ? undefined : table.find((row) => row && String(row.id) === String(wanted));
  const brand = find(operator, find(jenis, kindId)?.operator_id);
  return { brand: brand?.nama, category: find(category, brand?.category_id)?.nama };
}

/** The products of a list as a shop reads them. */
export const supplierProducts = (
  list: List,
  level: Level | undefined,
): (SupplierProduct & { price: number })[] =>
  productsOf(list).map((product) => {
    const { brand, category } = namesOf(list, product);
    return {
      code: product.kode_produk,
      price: priceOf(product, level),
      ...(product.nama !== undefined && { name: product.nama }),
      ...(brand !== undefined && { brand }),
      ...(category !== undefined && { category }),
      isAvailable: isAvailable(product),
      stock: null,
      isOncePerDay: false,
      pause: null,
    };
  });
