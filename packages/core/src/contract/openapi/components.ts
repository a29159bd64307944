import * as z from 'zod/mini';
import {
  accountFields,
  eventListFields,
  type FieldLimits,
  type FieldRule,
  orderFields,
  orderListFields,
  promoFields,
} from '../fields.ts';
import type { Operation } from '../routes.ts';
import { type ObjectDocs, type Source, schemaDocs } from '../schema-docs.ts';
import { errorSchemas } from '../schemas.ts';
import type { JsonSchema } from './types.ts';

export const refTo = (component: string): string => `#/components/schemas/${component}`;

/** Returns the documentation of a schema. @throws Error if it has none. */
export function requireDocs(schema: z.ZodMiniType): ObjectDocs {
  const docs = schemaDocs.get(schema);
  if (!docs) throw new Error('This schema has no documentation, so it is not a component.');
  return docs;
}

/** Declares integers as int64, because generated code would otherwise use 32 bits, which are too few for amounts. */
function useInt64(schema: JsonSchema): void {
  if (schema.type !== 'integer') return;
  delete schema.minimum;
  delete schema.maximum;
  schema.format = 'int64';
}

/** Writes a nullable value as one schema with two types, because many generators create no type for a choice of two schemas. */
function joinNull(schema: JsonSchema): void {
  const [value, none] = schema.anyOf ?? [];
  if (typeof value?.type !== 'string' || none?.type !== 'null') return;
  delete schema.anyOf;
  Object.assign(schema, value, { type: [value.type, 'null'] });
}

/** Adds documentation to the JSON schema of an object and its fields. */
function documented(schema: JsonSchema, { description, source, fields }: ObjectDocs): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]): [string, JsonSchema] => {
    const docs = fields[name];
    return [
      name,
      { ...property, ...(docs && { description: docs.description, 'x-topup-source': docs.source }) },
    ];
  });
  return {
    type: 'object',
    description,
    'x-topup-source': source,
    properties: Object.fromEntries(properties),
    required: schema.required ?? [],
  };
}

/** Creates components for the success responses, the error bodies and all their objects. */
export function responseComponents(): Record<string, JsonSchema> {
  const docs = new Map<string, ObjectDocs>();
  const { schemas } = z.toJSONSchema(schemaDocs, {
    // The input schema allows additional fields: a client must not fail on a new response field.
    io: 'input',
    uri: refTo,
    override({ zodSchema, jsonSchema }) {
      // Safe: zod writes the keywords of JsonSchema.
      const schema = jsonSchema as JsonSchema;
      useInt64(schema);
      joinNull(schema);
      const found = schemaDocs.get(zodSchema);
      if (found && !found.typeOnly) docs.set(found.id, found);
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) => {
      const found = docs.get(name);
      // Safe: the reason is the same as above.
      return found ? [[name, documented(schema as JsonSchema, found)]] : [];
    }),
  );
}

/** The component for responses with errors of several shapes. */
export const errorBodyComponent = 'ErrorBody';

/**
 * Creates the schema for all error bodies. It has the fields of all shapes, and only the message is required. A choice of several schemas
 * would be exact, but generators for other languages create no type for it, or a type without fields.
 */
export function anyErrorBody(shapes: Record<string, JsonSchema>): JsonSchema {
  const { id, source } = requireDocs(errorSchemas.envelope);
  return {
    ...shapes[id],
    description:
      'Body of any error. Only `message` is always present. The other fields depend on the error code.',
    'x-topup-source': source,
    required: ['message'],
  };
}

export interface RequestBody {
  component: string;
  source: Source;
  description: string;
  fields: readonly FieldRule[];
}

/** Operations with a request body, and the fields of the body. */
export const requestBodies: Partial<Record<Operation, RequestBody>> = {
  createOrder: {
    component: 'CreateOrderRequest',
    source: 'interface 4.2',
    description:
      'Body of `POST /order`: the game, product, target account and payment method of an order. Text is trimmed. Empty text, null and a missing field are equivalent. Unknown fields are ignored.',
    fields: orderFields,
  },
  validatePromo: {
    component: 'ValidatePromoRequest',
    source: 'live',
    description:
      'Body of `POST /promo/validate`: the promo code, and the game, product and payment method to use it for. Fields are read in the same way as those of an order.',
    fields: promoFields,
  },
  checkAccount: {
    component: 'CheckAccountRequest',
    source: 'ours',
    description:
      'Body of `POST /account/check`: a game and an account in it. Fields are read in the same way as those of an order.',
    fields: accountFields,
  },
};

/** Operations with query parameters. Their components are used only for types, because the document lists parameters individually. */
export const queries: Partial<Record<Operation, RequestBody>> = {
  listOrders: {
    component: 'ListOrdersQuery',
    source: 'ours',
    description: 'Query of `GET /orders`. A filter that is left out matches every order.',
    fields: orderListFields,
  },
  listEvents: {
    component: 'ListEventsQuery',
    source: 'ours',
    description: 'Query of `GET /events`.',
    fields: eventListFields,
  },
};

/** Returns the JSON schema of a field. It doesn't mention that integers are accepted as text, because clients need not know that. */
export function typeOf(rule: FieldRule, limits: FieldLimits): JsonSchema {
  if (rule.type === 'string')
    return {
      type: 'string',
      ...(rule.required && { minLength: 1 }),
      ...(rule.options ? { enum: [...rule.options] } : { maxLength: limits.text }),
      ...(rule.format === 'email' && { format: rule.format }),
    };
  return {
    type: 'integer',
    format: 'int64',
    ...(rule.min !== undefined && { minimum: rule.min }),
    ...(rule.max !== undefined && { maximum: rule.max === 'quantity' ? limits.quantity : rule.max }),
    ...(rule.default !== undefined && { default: rule.default }),
  };
}

/** Returns the property of a field, and a second property for its alias. */
function propertiesOf(rule: FieldRule, limits: FieldLimits): [string, JsonSchema][] {
  const { name, alias, description } = rule;
  const type = typeOf(rule, limits);
  const source = { 'x-topup-source': rule.source };
  const property: [string, JsonSchema] = [name, { ...type, description, ...source }];
  if (alias === undefined) return [property];
  const aliasDescription = `Another name for \`${name}\`; \`${name}\` wins when both are sent, and errors always name \`${name}\`.`;
  return [property, [alias, { ...type, description: aliasDescription, ...source }]];
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
    ...(aliased.length > 0 && { allOf: aliased.map((names) => requireAny(names)) }),
  };
}

/** Creates a schema that requires at least one of a field's names. */
const requireAny = (names: string[]): JsonSchema => ({ anyOf: names.map((name) => ({ required: [name] })) });

/** Creates components for the request bodies from the service's validation rules. */
export const requestComponents = (limits: FieldLimits): Record<string, JsonSchema> =>
  Object.fromEntries(Object.values(requestBodies).map((body) => [body.component, schemaOf(body, limits)]));
