import { type ErrorCode, type ErrorDefinition, errors, promoSubjects } from '../errors.ts';
import type { FieldRule } from '../field-rules.ts';
import { formatMoney } from '../money.ts';
import type { ErrorBody } from '../types/index.ts';
import { normaliseFields, summarise, validateFields } from '../validate-fields.ts';
import type { OpenApiLimits } from './limits.ts';

/** The language that the examples are in: the one that a service speaks unless told otherwise. */
const locale = 'id';

const money = (amount: number): string => formatMoney(amount, 'IDR', locale);

/** What the words in braces stand for in an example. */
interface Circumstances {
  scope: string;
  fields: readonly FieldRule[];
  limits: OpenApiLimits;
}

function wordsOf(code: ErrorCode, { scope, limits }: Circumstances): Record<string, string> {
  switch (code) {
    case 'FORBIDDEN':
      return { scope };
    case 'PROMO_MINIMUM':
      return { minimum: money(50_000) };
    case 'PROMO_NOT_ELIGIBLE':
      return { subject: promoSubjects.paymentMethod[locale] };
    case 'PAYMENT_LIMIT':
      return { method: 'BRI Virtual Account', minimum: money(10_000), maximum: money(10_000_000) };
    case 'PAYLOAD_TOO_LARGE':
      return { maximum: String(limits.bodyBytes) };
    default:
      return {};
  }
}

/** What an empty body, or one that is no JSON, is told. */
function fieldErrorsOf(code: ErrorCode, { fields, limits }: Circumstances): Record<string, string[]> {
  if (code === 'MALFORMED_JSON') return { body: ['The request body must be valid JSON.'] };
  const checked = validateFields(fields, normaliseFields(fields, {}), limits);
  return 'errors' in checked ? checked.errors : {};
}

/** The body of an error as the service writes it. */
export function errorExample(code: ErrorCode, circumstances: Circumstances): ErrorBody {
  const { shape, message: texts }: ErrorDefinition = errors[code];
  const words = wordsOf(code, circumstances);
  const message = texts[locale].replace(/\{(\w+)\}/g, (braces, name: string) => words[name] ?? braces);
  switch (shape) {
    case 'message':
      return { message };
    case 'business':
      return { success: false, message };
    case 'validation': {
      const fields = fieldErrorsOf(code, circumstances);
      return { message: summarise(fields), errors: fields };
    }
    case 'envelope':
      return { success: false, message, error_code: code, errors: {} };
  }
}
