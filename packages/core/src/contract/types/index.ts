export * from './catalog.ts';
export * from './error.ts';
export * from './invoice.ts';
export * from './order.ts';
export * from './promo.ts';
