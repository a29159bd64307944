export * from './dialect/dialect.ts';
export * from './dialect/empty-fields.ts';
export * from './dialect/file.ts';
export * from './endpoints.ts';
export * from './errors.ts';
export * from './event-types.ts';
export * from './field-formats.ts';
export * from './field-messages.ts';
export * from './fields.ts';
export * from './format.ts';
export * from './generated/types.ts';
export * from './headers.ts';
export * from './locale.ts';
export * from './nearest.ts';
export * from './payment-kinds.ts';
export * from './raised-error.ts';
export * from './routes.ts';
export type { Source } from './schema-docs.ts';
export {
  categorySchema,
  errorSchemas,
  gameSchema,
  gameWithCategorySchema,
  orderIdPattern,
  orderSchema,
  pricingSchema,
  responseSchemas,
} from './schemas.ts';
export { unitPrice } from './unit-price.ts';
export * from './webhook-signature.ts';
