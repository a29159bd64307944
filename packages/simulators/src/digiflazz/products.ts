/** A product of the price list, with Digiflazz's field names. Prices in rupiah, times of day in Jakarta. */
export interface Product {
  product_name: string;
  category: string;
  brand: string;
  type: string;
  seller_name: string;
  price: number;
  buyer_sku_code: string;
  buyer_product_status: boolean;
  seller_product_status: boolean;
  unlimited_stock: boolean;
  stock: number;
  /** False allows only one purchase per target and day. */
  multi: boolean;
  start_cut_off: string;
  end_cut_off: string;
  desc: string;
}

const product = (
  sku: string,
  name: string,
  brand: string,
  price: number,
  more: Partial<Product> = {},
): Product => ({
  product_name: name,
  category: 'Games',
  brand,
  type: 'Umum',
  seller_name: 'Simulated Seller',
  price,
  buyer_sku_code: sku,
  buyer_product_status: true,
  seller_product_status: true,
  unlimited_stock: true,
  stock: 0,
  multi: true,
  start_cut_off: '0:0',
  end_cut_off: '0:0',
  desc: '-',
  ...more,
});

/** The initial price list: some games, a product without `multi`, one with stock, and the product for test numbers. */
export const createProducts = (): Product[] => [
  product('ml86', 'MOBILELEGEND - 86 Diamond', 'MOBILE LEGENDS', 19_500),
  product('ml172', 'MOBILELEGEND - 172 Diamond', 'MOBILE LEGENDS', 38_900),
  product('ff70', 'Free Fire 70 Diamond', 'FREE FIRE', 8_900),
  product('pubgm60', 'PUBG MOBILE 60 UC', 'PUBG MOBILE', 14_200),
  product('mlwdp', 'MOBILELEGEND - Weekly Diamond Pass', 'MOBILE LEGENDS', 27_000, { multi: false }),
  product('gi60', 'Genshin Impact 60 Genesis Crystals', 'GENSHIN IMPACT', 12_800, {
    unlimited_stock: false,
    stock: 5,
  }),
  product('xld10', 'Xl 10.000', 'XL', 10_800, { category: 'Pulsa' }),
];

const brands = [
  'MOBILE LEGENDS',
  'FREE FIRE',
  'PUBG MOBILE',
  'VALORANT',
  'ROBLOX',
  'POINT BLANK',
  'ARENA BREAKOUT',
];

/** Changes a list's length: it keeps the first products, or adds invented ones. */
export const resized = (products: readonly Product[], count: number): Product[] =>
  Array.from({ length: count }, (_, index) => {
    const brand = brands[index % brands.length] ?? '';
    const units = 5 * (index + 1);
    const made = product(`sim${index + 1}`, `${brand} - ${units} Diamond`, brand, 1_000 + units * 230);
    return products[index] ?? made;
  });

/** Converts a time such as `23:45` to minutes since midnight. */
const minutesOf = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
};

const jakartaOffsetMs = 7 * 3_600_000;

/** Returns the number of the day in Jakarta, for daily limits. */
export const dayOf = (time: number): number => Math.floor((time + jakartaOffsetMs) / 86_400_000);

/** Tells whether a product can't be bought at this time of day. A cut-off from midnight to midnight means that it is always open. */
export function isCutOff({ start_cut_off, end_cut_off }: Product, time: number): boolean {
  const [start, end] = [minutesOf(start_cut_off), minutesOf(end_cut_off)];
  const now = Math.floor(((time + jakartaOffsetMs) % 86_400_000) / 60_000);
  return start <= end ? now >= start && now < end : now >= start || now < end;
}
