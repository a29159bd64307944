type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNull = (schema: Json): boolean => isObject(schema) && schema.type === 'null';

/** The keyword under which 3.0 says the same; none where it can't say it, which makes the schema only more lenient. */
function keyword(name: string, value: Json): [string, Json][] {
  if (name === 'const' || name === 'propertyNames') return [];
  if (name === 'type' && Array.isArray(value))
    return [
      ['type', value.find((type) => type !== 'null') ?? ''],
      ['nullable', true],
    ];
  if (name === 'anyOf' && Array.isArray(value) && value.some(isNull))
    return [
      ['allOf', converted(value.filter((schema) => !isNull(schema)))],
      ['nullable', true],
    ];
  return [[name, converted(value)]];
}

function converted(value: Json): Json {
  if (Array.isArray(value)) return value.map(converted);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => keyword(name, inner)));
}

/** The text of an OpenAPI 3.1 document as one of 3.0, for a generator that can't read 3.1. */
export function toOpenApi30(text: string): string {
  const { webhooks: _webhooks, info, ...document } = JSON.parse(text);
  const { summary: _summary, license: _license, ...known } = info;
  return JSON.stringify({ ...Object(converted(document)), openapi: '3.0.3', info: known });
}
