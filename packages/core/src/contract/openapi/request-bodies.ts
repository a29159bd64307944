import { type FieldLimits, type FieldRule, orderFields, promoFields } from '../field-rules.ts';
import type { Operation } from '../routes.ts';
import type { Source } from '../source.ts';
import type { JsonSchema } from './schema.ts';

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
