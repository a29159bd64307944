import type { SupplierProduct } from '@topup-kit/core/supplier';
import * as z from 'zod/mini';
import { cost, id, type RowReader, text, word } from '../readers.ts';
import type { Level } from './settings.ts';

/** Schema of a row that only adds a name. An unreadable row counts as missing. */
const named = z.catch(
  z.optional(z.object({ id, nama: text, category_id: word, operator_id: word })),
  undefined,
);
const rows = z.catch(z._default(z.array(named), []), []);

/** Schema of the whole list: its products, and the tables with their names. */
export const listSchema = z.object({
  data: z.object({ category: rows, operator: rows, jenis: rows, produk: z.array(z.unknown()) }),
});
type List = z.infer<typeof listSchema>['data'];

const lowerPrice = z.nullish(cost);
const productSchema = z.object({
  kode_produk: id,
  nama: word,
  price: cost,
  /** Prices of higher levels are lower, and may be missing. */
  price_gold: lowerPrice,
  price_vip: lowerPrice,
  price_vvip: lowerPrice,
  status: text,
  jenis_id: word,
});
type Product = z.infer<typeof productSchema>;

const isAvailable = ({ status }: Product): boolean => status === '1';

/** Returns the account's price. No documented response contains its level. Without a level or its price, the highest price is assumed. */
function priceOf(product: Product, level: Level | undefined): number {
  const prices: Record<Level, number | null | undefined> = {
    member: product.price,
    gold: product.price_gold,
    vip: product.price_vip,
    vvip: product.price_vvip,
  };
  return (level && prices[level]) ?? Math.max(...Object.values(prices).map((price) => price ?? 0));
}

/** Returns the names of a product's game and category, which its kind refers to. */
function namesOf({ jenis, operator, category }: List, { jenis_id: kindId }: Product) {
  const find = (table: List['jenis'], wanted: string | undefined) =>
    wanted === undefined ? undefined : table.find((row) => row?.id === wanted);
  const brand = find(operator, find(jenis, kindId)?.operator_id);
  return { brand: brand?.nama, category: find(category, brand?.category_id)?.nama };
}

/** Returns the products of a list in the form that a shop reads. */
export const supplierProducts = (
  list: List,
  level: Level | undefined,
  readRows: RowReader,
): (SupplierProduct & { price: number })[] =>
  readRows(list.produk, productSchema, { about: 'GET /member/produk/full', name: 'kode_produk' }).map(
    (product) => {
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
    },
  );
