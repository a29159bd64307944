import type { Localised } from '@topup-kit/core/contract';

/** How operators call the values of the catalogue that they change most. */
export const fieldNames: ReadonlyMap<string, Localised> = new Map([
  ['selling_price', { id: 'harga', en: 'price' }],
  ['price_locked', { id: 'kunci harga', en: 'price lock' }],
  ['status', { id: 'buka', en: 'open' }],
  ['rule', { id: 'aturan', en: 'rule' }],
]);
