import { defaultLimits } from '@topup-kit/core/app';
import {
  type ErrorCode,
  type FieldErrors,
  type FieldRule,
  normaliseFields,
  type Operation,
  orderFields,
  promoFields,
  routes,
  validateFields,
} from '@topup-kit/core/contract';
import { Refusal, type Words } from '@topup-kit/core/engine';
import { AskedForError } from '../scenarios/parts.ts';

function exampleWords(operation: Operation, code: ErrorCode): Words {
  switch (code) {
    case 'FORBIDDEN':
      return { scope: routes[operation].scope };
    case 'PROMO_MINIMUM':
      return { minimum: { money: 50_000 } };
    case 'PROMO_NOT_ELIGIBLE':
      return { subject: { subject: 'paymentMethod' } };
    case 'PAYMENT_LIMIT':
      return { method: 'BRI Virtual Account', minimum: { money: 10_000 }, maximum: { money: 10_000_000 } };
    case 'PAYLOAD_TOO_LARGE':
      return { maximum: String(defaultLimits.bodyBytes) };
    default:
      return {};
  }
}

/** What an empty body, or one that is no JSON, is told. */
function exampleFields(operation: Operation, code: ErrorCode): FieldErrors | undefined {
  if (code === 'MALFORMED_JSON') return { body: ['The request body must be valid JSON.'] };
  if (code !== 'VALIDATION_ERROR') return undefined;
  const rules: readonly FieldRule[] = operation === 'createOrder' ? orderFields : promoFields;
  const checked = validateFields(rules, normaliseFields(rules, {}), defaultLimits);
  return 'errors' in checked ? checked.errors : {};
}

/** A refusal with an error of the table, with words such as an occasion for it would give. */
export function exampleRefusal(operation: Operation, code: ErrorCode): Refusal {
  const fields = exampleFields(operation, code);
  return new Refusal(code, {
    words: exampleWords(operation, code),
    ...(fields && { fields }),
    cause: new AskedForError(`override ${code}`),
  });
}
