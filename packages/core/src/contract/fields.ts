import { regexes } from 'zod/mini';
import { isPhone, phoneDigits, returnOrigin } from './field-formats.ts';
import type { FieldErrors, FieldFailure } from './field-messages.ts';
import { buyStatuses, paymentStatuses } from './generated/types.ts';
import type { Source } from './schema-docs.ts';

interface Rule {
  name: string;
  /** A second name that is accepted for the field; `name` wins when both are sent. */
  alias?: string;
  required?: true;
  source: Source;
  description: string;
}

/** A text field. Text is trimmed; empty text and null count as missing. */
export interface StringRule extends Rule {
  type: 'string';
  format?: 'email' | 'phone' | 'return-url';
  /** The only values. */
  options?: readonly string[];
}

/** A whole number, also accepted as text (`"12"`). */
export interface IntegerRule extends Rule {
  type: 'integer';
  min?: number;
  /** The maximum, or the name of the limit that holds it. */
  max?: number | 'quantity';
  default?: number;
}

export type FieldRule = StringRule | IntegerRule;

/** Limits that a deployment may set (source: ours). */
export interface FieldLimits {
  /** Maximum length of a text field, in characters. */
  text: number;
  /** Maximum quantity of an order. */
  quantity: number;
  /** The origins that a `return_url` may lead to; any when left out. */
  returnOrigins?: readonly string[] | undefined;
}

export const defaultFieldLimits: FieldLimits = { text: 255, quantity: 100 };

/** The fields of `POST /order` in the order of the interface (4.2), which is the order of their errors; then ours. */
export const orderFields = [
  {
    name: 'id',
    type: 'string',
    required: true,
    source: 'interface 4.2',
    description: 'User ID or game ID of the account to top up.',
  },
  {
    name: 'server',
    type: 'string',
    source: 'interface 4.2',
    description: 'Server ID, when the game needs one.',
  },
  {
    name: 'game',
    type: 'string',
    required: true,
    source: 'interface 4.2',
    description: 'Slug of an active game.',
  },
  {
    name: 'product_id',
    type: 'integer',
    required: true,
    source: 'interface 4.2',
    description: 'Id of a product of the game.',
  },
  {
    name: 'payment_method_id',
    type: 'integer',
    required: true,
    source: 'interface 4.2',
    description: 'Id of a payment method.',
  },
  {
    name: 'email',
    type: 'string',
    format: 'email',
    source: 'interface 4.2',
    description: "The customer's e-mail address.",
  },
  {
    name: 'whatsapp',
    alias: 'messenger_number',
    type: 'string',
    format: 'phone',
    required: true,
    source: 'interface 4.2',
    description:
      "The customer's phone number for the messaging app: `08...`, `628...` and `+628...` are one number, and one of another country begins with `+`.",
  },
  {
    name: 'nickname',
    type: 'string',
    source: 'interface 4.2',
    description: "The player's name in the game, for display.",
  },
  {
    name: 'promo_code',
    type: 'string',
    source: 'interface 4.2',
    description: 'Promo code to apply.',
  },
  {
    name: 'quantity',
    type: 'integer',
    min: 1,
    max: 'quantity',
    default: 1,
    source: 'interface 4.2',
    description: 'Number of units; 1 when left out.',
  },
  {
    name: 'return_url',
    type: 'string',
    format: 'return-url',
    source: 'ours',
    description:
      'Where the customer gets back to the shop after paying (ours): an http(s) URL, in which `{order_id}` becomes the id of the order. A live service allows only the origins of its operator.',
  },
] as const satisfies readonly FieldRule[];

/** The fields of `POST /promo/validate` (source: live). */
export const promoFields = [
  { name: 'code', type: 'string', required: true, source: 'live', description: 'Promo code to try.' },
  {
    name: 'game_slug',
    type: 'string',
    required: true,
    source: 'live',
    description: 'Slug of an active game.',
  },
  {
    name: 'product_id',
    type: 'integer',
    required: true,
    source: 'live',
    description: 'Id of a product of the game.',
  },
  {
    name: 'payment_method_id',
    type: 'integer',
    required: true,
    source: 'live',
    description: 'Id of a payment method.',
  },
  {
    name: 'whatsapp',
    type: 'string',
    format: 'phone',
    source: 'live',
    description: "The customer's phone number, for promo codes with a limit per customer.",
  },
] as const satisfies readonly FieldRule[];

/** The last second of the year 9999. */
const latestTime = 253_402_300_799;

/** The query parameters of `GET /orders` (source: ours). */
export const orderListFields = [
  {
    name: 'limit',
    type: 'integer',
    min: 1,
    max: 100,
    default: 20,
    source: 'ours',
    description: 'How many orders a page has at most: 1 to 100; 20 when left out.',
  },
  {
    name: 'cursor',
    type: 'string',
    source: 'ours',
    description: 'The `next_cursor` of the page before; the newest orders when left out.',
  },
  {
    name: 'payment_status',
    type: 'string',
    options: paymentStatuses,
    source: 'ours',
    description: 'Only orders with this state of the payment.',
  },
  {
    name: 'buy_status',
    type: 'string',
    options: buyStatuses,
    source: 'ours',
    description: 'Only orders with this state of the delivery.',
  },
  {
    name: 'created_from',
    type: 'integer',
    min: 0,
    max: latestTime,
    source: 'ours',
    description: 'Only orders that were created at or after this moment, in unix seconds.',
  },
  {
    name: 'created_before',
    type: 'integer',
    min: 0,
    max: latestTime,
    source: 'ours',
    description: 'Only orders that were created before this moment, in unix seconds.',
  },
  {
    name: 'idempotency_key',
    type: 'string',
    source: 'ours',
    description: 'Only the order that was placed with this key, which the service knows for 24 hours.',
  },
] as const satisfies readonly FieldRule[];

type ValueOf<Field> = Field extends { type: 'integer' }
  ? number
  : Field extends { options: readonly (infer Option)[] }
    ? Option
    : string;

/** The valid values of fields with these rules, by field name. */
export type FieldValues<Fields extends readonly FieldRule[]> = {
  [Field in Fields[number] as Field extends { required: true } | { default: number }
    ? Field['name']
    : never]: ValueOf<Field>;
} & {
  [Field in Fields[number] as Field extends { required: true } | { default: number }
    ? never
    : Field['name']]?: ValueOf<Field>;
};

/** A valid query for a list of orders, the limit filled in. */
export type OrderListInput = FieldValues<typeof orderListFields>;

export type PromoInput = FieldValues<typeof promoFields>;

/** A valid order request: trimmed, aliases resolved, the quantity filled in. */
export type OrderInput = FieldValues<typeof orderFields>;

export type Fields = Record<string, unknown>;

const integerText = /^[+-]?(0|[1-9]\d*)$/;

/** No field accepts a list or an object. Each becomes an empty list, which the field's rules then reject. */
function scalar(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return [];
  return typeof value === 'string' ? value.trim() : value;
}

/** The value that was sent for a field, trimmed; undefined when it is missing, null or empty. */
function sentValue(rule: FieldRule, body: Fields): unknown {
  for (const name of rule.alias === undefined ? [rule.name] : [rule.name, rule.alias]) {
    const value = scalar(Object.hasOwn(body, name) ? body[name] : undefined);
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

/** Converts text to a number for integer fields. Any other value stays unchanged; the rules reject it later. */
function coerced(rule: FieldRule, value: unknown): unknown {
  if (rule.type === 'integer' && typeof value === 'string' && integerText.test(value)) return Number(value);
  return value;
}

/**
 * The known fields of a body in the order of their rules: trimmed, aliases resolved, defaults filled in, empty
 * and unknown fields left out. Two bodies with the same meaning become equal. Invalid values stay as they are.
 */
export function normaliseFields(rules: readonly FieldRule[], body: Fields): Fields {
  const normalised: Fields = {};
  for (const rule of rules) {
    const value =
      coerced(rule, sentValue(rule, body)) ?? (rule.type === 'integer' ? rule.default : undefined);
    if (value !== undefined) normalised[rule.name] = value;
  }
  return normalised;
}

/**
 * The normalised fields of an order as text, equal for two orders with the same meaning: a phone number counts by its
 * digits, however it is written.
 */
export function orderPayload(fields: Fields): string {
  const { whatsapp } = fields;
  const isNumber = typeof whatsapp === 'string' && isPhone(whatsapp);
  return JSON.stringify({ ...fields, ...(isNumber && { whatsapp: phoneDigits(whatsapp) }) });
}

function* returnUrlFailures(value: string, { returnOrigins }: FieldLimits): Generator<FieldFailure> {
  const origin = returnOrigin(value);
  if (origin === undefined) yield { rule: 'url' };
  else if (returnOrigins && !returnOrigins.includes(origin)) yield { rule: 'returnOrigin' };
}

function* stringFailures(rule: StringRule, value: unknown, limits: FieldLimits): Generator<FieldFailure> {
  if (typeof value !== 'string') return yield { rule: 'string' };
  if (rule.options && !rule.options.includes(value))
    yield { rule: 'oneOf', params: { values: rule.options.join(', ') } };
  if (rule.format === 'email' && !regexes.html5Email.test(value)) yield { rule: 'email' };
  if (rule.format === 'phone' && !isPhone(value)) yield { rule: 'phone' };
  if (rule.format === 'return-url') yield* returnUrlFailures(value, limits);
  // Counting characters is slow. A text never has more characters than code units, so only long texts are counted.
  if (value.length > limits.text && [...value].length > limits.text)
    yield { rule: 'maximumLength', params: { limit: limits.text } };
}

function* integerFailures(rule: IntegerRule, value: unknown, limits: FieldLimits): Generator<FieldFailure> {
  if (!Number.isSafeInteger(value)) return yield { rule: 'integer' };
  const number = Number(value);
  if (rule.min !== undefined && number < rule.min) yield { rule: 'minimum', params: { limit: rule.min } };
  const max = rule.max === 'quantity' ? limits.quantity : rule.max;
  if (max !== undefined && number > max) yield { rule: 'maximum', params: { limit: max } };
}

function failures(rule: FieldRule, value: unknown, limits: FieldLimits): FieldFailure[] {
  if (value === undefined) return rule.required ? [{ rule: 'required' }] : [];
  return [
    ...(rule.type === 'string' ? stringFailures(rule, value, limits) : integerFailures(rule, value, limits)),
  ];
}

/**
 * Checks normalised fields against their rules. Returns the typed values, or what is wrong with each field.
 */
export function validateFields<const Rules extends readonly FieldRule[]>(
  rules: Rules,
  normalised: Fields,
  limits: FieldLimits = defaultFieldLimits,
): { values: FieldValues<Rules> } | { errors: FieldErrors } {
  const errors: FieldErrors = {};
  for (const rule of rules) {
    const found = failures(rule, normalised[rule.name], limits);
    if (found.length > 0) errors[rule.name] = found;
  }
  if (Object.keys(errors).length > 0) return { errors };
  // Safe: all rules passed, and FieldValues is derived from them.
  return { values: normalised as FieldValues<Rules> };
}
