export * from './canonical-json.ts';
export * from './clock.ts';
export * from './hash.ts';
export * from './random.ts';
export * from './seeded-random.ts';
