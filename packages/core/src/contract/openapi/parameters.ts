import { headers, idempotencyKeyLength } from '../headers.ts';
import { orderIdPattern } from '../identifiers.ts';
import type { Operation, Route } from '../routes.ts';
import type { HeaderObject, ParameterObject } from './document.ts';

/** What stands in braces in a path. */
const pathParameters: Record<string, HeaderObject> = {
  slug: {
    description: 'slug of a game',
    schema: { type: 'string' },
    'x-topup-source': 'live',
  },
  order_id: {
    description: 'the `orderId` of a created order',
    schema: { type: 'string', pattern: orderIdPattern.source },
    'x-topup-source': 'live',
  },
};

const idempotencyKey: ParameterObject = {
  name: headers.idempotencyKey,
  in: 'header',
  required: false,
  description:
    'Bare or in quotes. The same key with the same payload is answered with the stored 201 for 24 hours, byte for byte; only a 201 is stored. An answer that carries the key back says that a retry is safe.',
  schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyLength },
  example: 'checkout-7f3a9c',
  'x-topup-source': 'ours',
};

/** The parameters of an operation; the key is a security scheme, and a body has rules of its own. */
export function parametersOf(operation: Operation, { path, example }: Route): ParameterObject[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']): ParameterObject[] => {
    const said = pathParameters[name];
    const sample = example.path?.[name];
    if (!said) return [];
    return [{ name, in: 'path', required: true, ...said, ...(sample !== undefined && { example: sample }) }];
  });
  return operation === 'createOrder' ? [...inPath, idempotencyKey] : inPath;
}
