import * as z from 'zod/mini';
import * as schemas from '../schemas.ts';
import type { Described } from './descriptions/described.ts';
import { type ComponentName, descriptions } from './descriptions/index.ts';
import { type JsonSchema, refTo } from './schema.ts';

const { answerSchemas, errorSchemas, promoValidationSchema } = schemas;

/** Every object of an answer by the name of its component. */
const named: Record<ComponentName, z.ZodMiniType> = {
  Category: schemas.categorySchema,
  Game: schemas.gameSchema,
  GameWithCategory: schemas.gameWithCategorySchema,
  GameDetail: schemas.gameDetailSchema,
  Product: schemas.productSchema,
  TargetField: schemas.targetFieldSchema,
  PaymentMethod: schemas.paymentMethodSchema,
  Pricing: schemas.pricingSchema,
  Order: schemas.orderSchema,
  InvoiceOrder: schemas.invoiceOrderSchema,
  InvoiceGame: schemas.invoiceGameSchema,
  InvoiceProduct: schemas.invoiceProductSchema,
  PaymentState: schemas.paymentStateSchema,
  PromoFacts: promoValidationSchema.shape.promo,
  PromoPricing: promoValidationSchema.shape.pricing,
  PromoValidation: promoValidationSchema,
  GameListAnswer: answerSchemas.listGames,
  GameAnswer: answerSchemas.getGame,
  CheckoutAnswer: answerSchemas.getCheckout,
  OrderCreatedAnswer: answerSchemas.createOrder,
  InvoiceAnswer: answerSchemas.getInvoice,
  PaymentStatusAnswer: answerSchemas.getPaymentStatus,
  PromoValidationAnswer: answerSchemas.validatePromo,
  MessageBody: errorSchemas.message,
  BusinessBody: errorSchemas.business,
  ValidationBody: errorSchemas.validation,
  EnvelopeBody: errorSchemas.envelope,
};

/** Amounts outgrow the 32 bits that generated code would take for a plain integer. */
function plainInteger(schema: JsonSchema): void {
  if (schema.type !== 'integer') return;
  delete schema.minimum;
  delete schema.maximum;
  schema.format = 'int64';
}

function generate(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const options = {
    // What an answer may hold beyond its schema is left open: a client must not fail for a new field.
    io: 'input',
    uri: (id: string) => refTo(id),
    // Safe: zod writes the very keywords that JsonSchema names.
    override: ({ jsonSchema }: { jsonSchema: object }) => plainInteger(jsonSchema as JsonSchema),
  } as const;
  // Safe: as above.
  return z.toJSONSchema(registry, options).schemas as Record<string, JsonSchema>;
}

function described(schema: JsonSchema, said: Described): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]): [string, JsonSchema] => {
    const [description = '', source = said.source] = said.fields[name] ?? [];
    return [name, { ...property, description, 'x-topup-source': source }];
  });
  return {
    type: 'object',
    description: said.description,
    'x-topup-source': said.source,
    properties: Object.fromEntries(properties),
    required: schema.required ?? [],
  };
}

/** The answers of the interface and all objects in them, as components. */
export function answerComponents(): Record<string, JsonSchema> {
  const generated = generate();
  return Object.fromEntries(
    Object.entries(descriptions).map(([name, said]) => [name, described(generated[name] ?? {}, said)]),
  );
}
