import { type Dialect, openErrors } from './dialect.ts';
import { type ErrorCode, type ErrorShape, errors } from './errors.ts';

/** The field of an order that an error is about. */
const fields: Partial<Record<ErrorCode, string>> = {
  GAME_NOT_FOUND: 'game',
  PRODUCT_NOT_FOUND: 'product_id',
  PAYMENT_METHOD_NOT_FOUND: 'payment_method_id',
  PAYMENT_LIMIT: 'payment_method_id',
  PAYMENT_METHOD_BUSY: 'payment_method_id',
  MALFORMED_JSON: 'body',
  ...Object.fromEntries(openErrors.promo.map((code) => [code, 'promo_code'])),
};

/** The messages by field of an error that a dialect tells as one of fields; none for one that is about no field. */
export function errorFields(code: ErrorCode, message: string): Record<string, string[]> {
  const field = fields[code];
  return field === undefined ? {} : { [field]: [message] };
}

/** Which body of interface 7.1 each error has; the dialect decides where the interface doesn't show it. */
export function errorShapes({ errorBodies }: Dialect): (code: ErrorCode) => ErrorShape {
  // Safe: the keys of a const table.
  const groups = Object.keys(openErrors) as (keyof typeof openErrors)[];
  const decided = new Map<ErrorCode, ErrorShape>(
    groups.flatMap((group) => openErrors[group].map((code) => [code, errorBodies[group]] as const)),
  );
  return (code) => decided.get(code) ?? errors[code].shape;
}
