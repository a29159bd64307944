export * from './closing.ts';
export * from './lost-payments.ts';
export * from './settling.ts';
export * from './words.ts';
