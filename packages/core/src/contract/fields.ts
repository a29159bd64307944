import { buyStatuses, paymentStatuses } from './generated/types.ts';
import type { Source } from './schema-docs.ts';
import type { TextKind } from './text-rules.ts';

interface Rule {
  name: string;
  /** An alias of the field; `name` takes precedence if both are sent. */
  alias?: string;
  required?: true;
  source: Source;
  description: string;
}

/** A text field. Text is cleaned by the rule of its kind. Empty text and null count as missing. */
export interface StringRule extends Rule {
  type: 'string';
  /** The rule for pasted text; `code` by default. `kept`: text that stores can keep is only trimmed. `trimmed`: text is always trimmed. */
  text?: TextKind | 'kept' | 'trimmed';
  format?: 'email' | 'phone' | 'return-url';
  /** The only allowed values. */
  options?: readonly string[];
  /** Set for a filter whose type excludes undefined, because undefined would remove the filter. */
  isExact?: true;
}

/** A whole number, also accepted as text (`"12"`). */
export interface IntegerRule extends Rule {
  type: 'integer';
  min?: number;
  /** The maximum, or the name of a limit. */
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
  /** Allowed origins of a `return_url`; any origin if left out. */
  returnOrigins?: readonly string[] | undefined;
}

/** The limits of a deployment. A rate of 0 means no limit. */
export interface Limits extends FieldLimits {
  /** Maximum size of a request body, in bytes. */
  bodyBytes: number;
  /** Requests per minute for each pair of key and client address. */
  readsPerMinute: number;
  ordersPerMinute: number;
  /**
   * Requests per minute for one person: a customer whose address is named with a trusted key, or an address without a key. If left out, the
   * limits of the key apply.
   */
  customerReadsPerMinute?: number | undefined;
  customerOrdersPerMinute?: number | undefined;
}

export const defaultFieldLimits: FieldLimits = { text: 255, quantity: 100 };

type More<Rule> = Omit<Partial<Rule>, 'name' | 'type' | 'source' | 'description'>;

/** Rejects unknown properties of a rule, because TypeScript allows them in a literal whose type is inferred. */
type Known<Rules, Rule> = Rules & Record<Exclude<keyof Rules, keyof More<Rule>>, never>;

/** Creates functions for rules of fields with this source. */
const rulesFrom = <const From extends Source>(source: From) => ({
  text: <const Name extends string, const Rules extends More<StringRule>>(
    name: Name,
    description: string,
    rules: Known<Rules, StringRule>,
  ) => ({ name, type: 'string' as const, source, description, ...rules }),
  integer: <const Name extends string, const Rules extends More<IntegerRule>>(
    name: Name,
    description: string,
    rules: Known<Rules, IntegerRule>,
  ) => ({ name, type: 'integer' as const, source, description, ...rules }),
});

const stated = rulesFrom('interface 4.2');
const live = rulesFrom('live');
export const ours = rulesFrom('ours');
const required = { required: true } as const;

/** The fields of `POST /order`: first those of the interface (4.2), in the sequence of their errors; then extensions. */
export const orderFields = [
  stated.text('id', 'User ID or game ID of the account to top up.', { required: true, text: 'account' }),
  stated.text('server', 'Server ID, when the game needs one.', { text: 'account' }),
  stated.text('game', 'Slug of an active game.', required),
  stated.integer('product_id', 'Id of a product of the game.', required),
  stated.integer('payment_method_id', 'Id of a payment method.', required),
  stated.text('email', "The customer's e-mail address.", { format: 'email', text: 'email' }),
  stated.text(
    'whatsapp',
    "The customer's phone number for the messaging app: `08...`, `628...` and `+628...` are one number, and one of another country begins with `+`.",
    { required: true, alias: 'messenger_number', format: 'phone', text: 'phone' },
  ),
  stated.text('nickname', "The player's name in the game, for display.", { text: 'name' }),
  stated.text('promo_code', 'Promo code to apply.', {}),
  stated.integer('quantity', 'Number of units; 1 when left out.', { min: 1, max: 'quantity', default: 1 }),
  ours.text(
    'return_url',
    'The http(s) URL to which the customer returns after paying (ours). `{order_id}` in it becomes the id of the order. A live service allows only the origins of its operator.',
    { format: 'return-url', text: 'exact' },
  ),
] as const satisfies readonly FieldRule[];

/** The fields of `POST /promo/validate` (source: live). */
export const promoFields = [
  live.text('code', 'Promo code to try.', required),
  live.text('game_slug', 'Slug of an active game.', required),
  live.integer('product_id', 'Id of a product of the game.', required),
  live.integer('payment_method_id', 'Id of a payment method.', required),
  live.text('whatsapp', "The customer's phone number, for promo codes with a limit per customer.", {
    format: 'phone',
    text: 'phone',
  }),
] as const satisfies readonly FieldRule[];

/** The fields of `POST /account/check` (source: ours). */
export const accountFields = [
  ours.text('game', 'Slug of a game.', required),
  ours.text('id', 'User ID or game ID of the account.', { required: true, text: 'account' }),
  ours.text('server', 'Server ID, when the game needs one.', { text: 'account' }),
] as const satisfies readonly FieldRule[];

/** The last second of the year 9999. */
const latestTime = 253_402_300_799;
const moment = { min: 0, max: latestTime } as const;

/** The query parameters of `GET /orders` (source: ours). */
export const orderListFields = [
  ours.integer('limit', 'Maximum number of orders per page: 1 to 100, default 20.', {
    min: 1,
    max: 100,
    default: 20,
  }),
  ours.text(
    'cursor',
    'The `next_cursor` of the previous page. Without it, the list begins with the newest orders.',
    {},
  ),
  ours.text('payment_status', 'Only orders with this state of the payment.', { options: paymentStatuses }),
  ours.text('buy_status', 'Only orders with this state of the delivery.', { options: buyStatuses }),
  ours.integer(
    'created_from',
    'Only orders that were created at or after this moment, in unix seconds.',
    moment,
  ),
  ours.integer(
    'created_before',
    'Only orders that were created before this moment, in unix seconds.',
    moment,
  ),
  ours.text('idempotency_key', 'Only the order that was placed with this key.', {
    isExact: true,
    text: 'exact',
  }),
] as const satisfies readonly FieldRule[];

/** The query parameters of `GET /events` (source: ours). */
export const eventListFields = [
  ours.text(
    'after',
    'The `next_cursor` of the previous response. Without it, the response has no events, only a cursor for the events that follow.',
    {},
  ),
  ours.integer(
    'limit',
    'Maximum number of events per page: 1 to 100, default 50. Events of the same change are never split, so a page may have a few more.',
    { min: 1, max: 100, default: 50 },
  ),
] as const satisfies readonly FieldRule[];

/** The query fields of `GET /sandbox/requests`. */
export const journalFields = [
  ours.integer('limit', 'Maximum number of requests: 1 to 500, default 50.', {
    min: 1,
    max: 500,
    default: 50,
  }),
  ours.integer('after', 'Only requests after the one with this number.', { min: 0, default: 0 }),
] as const satisfies readonly FieldRule[];

type ValueOf<Field> = Field extends { type: 'integer' }
  ? number
  : Field extends { options: readonly (infer Option)[] }
    ? Option
    : string;

/** The valid values of fields, by field name. */
export type FieldValues<Fields extends readonly FieldRule[]> = {
  [Field in Fields[number] as Field extends { required: true } | { default: number }
    ? Field['name']
    : never]: ValueOf<Field>;
} & {
  [Field in Fields[number] as Field extends { required: true } | { default: number }
    ? never
    : Field['name']]?: ValueOf<Field>;
};

export type PromoInput = FieldValues<typeof promoFields>;

export type AccountInput = FieldValues<typeof accountFields>;

/** A valid order request: texts are trimmed, aliases are resolved, and the default quantity is added. */
export type OrderInput = FieldValues<typeof orderFields>;

export type Fields = Record<string, unknown>;
