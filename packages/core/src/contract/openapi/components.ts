import * as z from 'zod/mini';
import { type FieldLimits, type FieldRule, orderFields, promoFields } from '../fields.ts';
import type { Operation } from '../routes.ts';
import { type ObjectDocs, schemaDocs } from '../schema-docs.ts';
import type { Source } from '../source.ts';
import type { JsonSchema } from './types.ts';

/** The address of a component in the document. */
export const refTo = (component: string): string => `#/components/schemas/${component}`;

/** The documentation of a schema that is a component. */
export function docsOf(schema: z.ZodMiniType): ObjectDocs {
  const docs = schemaDocs.get(schema);
  if (!docs) throw new Error('This schema is no component: it has no documentation.');
  return docs;
}

/** Amounts outgrow the 32 bits that generated code would take for a plain integer. */
function plainInteger(schema: JsonSchema): void {
  if (schema.type !== 'integer') return;
  delete schema.minimum;
  delete schema.maximum;
  schema.format = 'int64';
}

/** An object as zod writes it, with what is said of it and of its fields. */
function documented(schema: JsonSchema, { description, source, fields }: ObjectDocs): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]): [string, JsonSchema] => {
    const own = fields[name];
    return [
      name,
      { ...property, ...(own && { description: own.description, 'x-topup-source': own.source }) },
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

/** The successful responses and the error bodies, and all objects in them, as components. */
export function answerComponents(): Record<string, JsonSchema> {
  const docs = new Map<string, ObjectDocs>();
  const { schemas } = z.toJSONSchema(schemaDocs, {
    // What a response may hold beyond its schema is left open: a client must not fail for a new field.
    io: 'input',
    uri: refTo,
    override({ zodSchema, jsonSchema }) {
      // Safe: zod writes the very keywords that JsonSchema names.
      plainInteger(jsonSchema as JsonSchema);
      const own = schemaDocs.get(zodSchema);
      if (own) docs.set(own.id, own);
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) => {
      const said = docs.get(name);
      // Safe: as above.
      return said ? [[name, documented(schema as JsonSchema, said)]] : [];
    }),
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
