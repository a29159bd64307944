import * as z from 'zod/mini';
import { type FieldLimits, type FieldRule, orderFields, promoFields } from '../fields.ts';
import type { Operation } from '../routes.ts';
import * as schemas from '../schemas.ts';
import type { Source } from '../source.ts';
import type { Described } from './descriptions/described.ts';
import { type ComponentName, descriptions } from './descriptions/index.ts';
import type { JsonSchema } from './types.ts';

/** The address of a component in the document. */
export const refTo = (component: string): string => `#/components/schemas/${component}`;

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

interface RequestBody {
  component: string;
  source: Source;
  description: string;
  fields: readonly FieldRule[];
}

/** The operations that take a body, and its fields. */
export const requestBodies: Partial<Record<Operation, RequestBody>> = {
  createOrder: {
    component: 'OrderRequest',
    source: 'interface 4.2',
    description:
      'What to order, for whom and how it is paid. Text is trimmed; empty text, null and a missing field are the same; unknown fields are ignored.',
    fields: orderFields,
  },
  validatePromo: {
    component: 'PromoValidationRequest',
    source: 'live',
    description: 'The code to try, and on what. Fields are read as those of an order.',
    fields: promoFields,
  },
};

/** The keywords of a rule; a whole number is also taken as text, which no client needs. */
function typeOf(rule: FieldRule, limits: FieldLimits): JsonSchema {
  if (rule.type === 'string')
    return {
      type: 'string',
      ...(rule.required && { minLength: 1 }),
      maxLength: limits.text,
      ...(rule.format && { format: rule.format }),
    };
  return {
    type: 'integer',
    format: 'int64',
    ...(rule.min !== undefined && { minimum: rule.min }),
    ...(rule.max && { maximum: limits[rule.max] }),
    ...(rule.default !== undefined && { default: rule.default }),
  };
}

/** A field, and a second one where it has another name. */
function propertiesOf(rule: FieldRule, limits: FieldLimits): [string, JsonSchema][] {
  const { name, alias, description } = rule;
  const type = typeOf(rule, limits);
  const source = { 'x-topup-source': rule.source };
  const own: [string, JsonSchema] = [name, { ...type, description, ...source }];
  if (alias === undefined) return [own];
  const other = `another name of \`${name}\`, which wins when both are sent; errors name \`${name}\``;
  return [own, [alias, { ...type, description: other, ...source }]];
}

function schemaOf({ fields, source, description }: RequestBody, limits: FieldLimits): JsonSchema {
  const required = fields.filter((rule) => rule.required);
  const aliased = required.flatMap(({ name, alias }) => (alias === undefined ? [] : [[name, alias]]));
  return {
    type: 'object',
    description,
    'x-topup-source': source,
    properties: Object.fromEntries(fields.flatMap((rule) => propertiesOf(rule, limits))),
    required: required.filter(({ alias }) => alias === undefined).map(({ name }) => name),
    ...(aliased.length > 0 && { allOf: aliased.map((names) => oneNamed(names)) }),
  };
}

/** One of the names of a field must be there. */
const oneNamed = (names: string[]): JsonSchema => ({ anyOf: names.map((name) => ({ required: [name] })) });

/** The bodies of requests, as components, from the rules that the service reads them by. */
export const requestComponents = (limits: FieldLimits): Record<string, JsonSchema> =>
  Object.fromEntries(Object.values(requestBodies).map((body) => [body.component, schemaOf(body, limits)]));
