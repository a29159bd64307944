import type { FieldErrors, FieldFailure } from './field-messages.ts';
import {
  defaultFieldLimits,
  type FieldLimits,
  type FieldRule,
  type Fields,
  type FieldValues,
  type IntegerRule,
  type StringRule,
} from './fields.ts';
import { cleanText, isPhone, phoneDigits, storableText, unreadableCharacter } from './text-rules.ts';

/** Matches e-mail addresses that browsers accept (HTML Standard, 4.10.5.1.5). Written here, so that clients need no schema library. */
const email =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

const isEmail = (text: string): boolean => email.test(text);

/** The placeholder for the order's id in a return URL, because the id is unknown before the order is placed. */
const orderIdPlaceholder = '{order_id}';

/**
 * Returns the origin of a return URL; undefined for an invalid URL. Only http and https without a password are allowed, because customers
 * follow the URL from the payment page.
 */
export function returnOrigin(text: string): string | undefined {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return undefined;
  const { username, password, origin } = new URL(text);
  return username === '' && password === '' ? origin : undefined;
}

/**
 * Returns the URL at which the customer returns to the shop; null if the order has none.
 *
 * @example
 * returnAddress({ orderId: 'INV-1-ABCDEFGH', returnUrl: 'https://shop.example/orders/{order_id}' });
 * // 'https://shop.example/orders/INV-1-ABCDEFGH'
 */
export function returnAddress({
  orderId,
  returnUrl,
}: {
  orderId: string;
  returnUrl: string | null;
}): string | null {
  return returnUrl === null ? null : new URL(returnUrl.replaceAll(orderIdPlaceholder, orderId)).href;
}

const integerText = /^[+-]?(0|[1-9]\d*)$/;

/** Returns a field's value, with cleaned text and converted numbers; undefined if it is missing, null or empty. */
function readValue(rule: FieldRule, value: unknown): unknown {
  // No field accepts a list or an object. Both become an empty list, which the field's rules reject.
  if (typeof value === 'object') return value === null ? undefined : [];
  if (typeof value !== 'string') return value;
  const kind = rule.type === 'integer' ? 'code' : (rule.text ?? 'code');
  const text =
    kind === 'trimmed' ? value.trim() : kind === 'kept' ? storableText(value).trim() : cleanText(value, kind);
  if (text === '') return undefined;
  return rule.type === 'integer' && integerText.test(text) ? Number(text) : text;
}

/**
 * Returns the known fields of a body in the sequence of their rules. It cleans values, resolves aliases, adds defaults, and removes empty
 * and unknown fields, so that two bodies with the same meaning become equal. Invalid values stay unchanged.
 */
export function normaliseFields(rules: readonly FieldRule[], body: Fields): Fields {
  const normalised: Fields = {};
  for (const rule of rules) {
    const { name, alias } = rule;
    let value = Object.hasOwn(body, name) ? readValue(rule, body[name]) : undefined;
    if (value === undefined && alias !== undefined && Object.hasOwn(body, alias))
      value = readValue(rule, body[alias]);
    if (value === undefined && rule.type === 'integer') value = rule.default;
    if (value !== undefined) normalised[name] = value;
  }
  return normalised;
}

/** Writes an order's normalised fields as text, equal for orders with the same meaning. Phone numbers are compared by digits. */
export function orderPayload(fields: Fields): string {
  const { whatsapp } = fields;
  const isNumber = typeof whatsapp === 'string' && isPhone(whatsapp);
  return JSON.stringify({ ...fields, ...(isNumber && { whatsapp: phoneDigits(whatsapp) }) });
}

function returnUrlFailures(value: string, { returnOrigins }: FieldLimits): FieldFailure[] {
  const origin = returnOrigin(value);
  if (origin === undefined) return [{ rule: 'url' }];
  return returnOrigins && !returnOrigins.includes(origin) ? [{ rule: 'returnOrigin' }] : [];
}

function stringFailures(rule: StringRule, value: unknown, limits: FieldLimits): FieldFailure[] {
  if (typeof value !== 'string') return [{ rule: 'string' }];
  const unreadable = rule.text === 'kept' ? undefined : unreadableCharacter(value);
  if (unreadable) return [{ rule: 'character', params: unreadable }];
  const failures: FieldFailure[] = [];
  if (rule.options && !rule.options.includes(value))
    failures.push({ rule: 'oneOf', params: { values: rule.options.join(', ') } });
  if (rule.format === 'email' && !isEmail(value)) failures.push({ rule: 'email' });
  if (rule.format === 'phone' && !isPhone(value)) failures.push({ rule: 'phone' });
  if (rule.format === 'return-url') failures.push(...returnUrlFailures(value, limits));
  // Counting characters is slow. A text never has more characters than code units, so only the characters of long texts are counted.
  if (value.length > limits.text && [...value].length > limits.text)
    failures.push({ rule: 'maximumLength', params: { limit: limits.text } });
  return failures;
}

function integerFailures(rule: IntegerRule, value: unknown, limits: FieldLimits): FieldFailure[] {
  if (!Number.isSafeInteger(value)) return [{ rule: 'integer' }];
  const number = Number(value);
  const failures: FieldFailure[] = [];
  if (rule.min !== undefined && number < rule.min)
    failures.push({ rule: 'minimum', params: { limit: rule.min } });
  const max = rule.max === 'quantity' ? limits.quantity : rule.max;
  if (max !== undefined && number > max) failures.push({ rule: 'maximum', params: { limit: max } });
  return failures;
}

/** Checks normalised fields against their rules. Returns the typed values, or the failures of each field. */
export function validateFields<const Rules extends readonly FieldRule[]>(
  rules: Rules,
  normalised: Fields,
  limits: FieldLimits = defaultFieldLimits,
): { values: FieldValues<Rules> } | { errors: FieldErrors } {
  const errors: FieldErrors = {};
  for (const rule of rules) {
    const value = normalised[rule.name];
    if (value === undefined) {
      if (rule.required) errors[rule.name] = [{ rule: 'required' }];
      continue;
    }
    const broken =
      rule.type === 'string' ? stringFailures(rule, value, limits) : integerFailures(rule, value, limits);
    if (broken.length > 0) errors[rule.name] = broken;
  }
  if (Object.keys(errors).length > 0) return { errors };
  // Safe: all rules passed, and FieldValues is derived from them.
  return { values: normalised as FieldValues<Rules> };
}
