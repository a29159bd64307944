import type { Source } from './source.ts';

interface Rule {
  name: string;
  /** A second name that the field is taken under; `name` wins when both are sent. */
  alias?: string;
  required?: true;
  source: Source;
  description: string;
}

/** Text: trimmed; empty text and null count as missing. */
export interface StringRule extends Rule {
  type: 'string';
  format?: 'email';
}

/** A whole number, also taken as text (`"12"`). */
export interface IntegerRule extends Rule {
  type: 'integer';
  min?: number;
  /** The limit that is the highest number taken. */
  max?: keyof FieldLimits;
  default?: number;
}

export type FieldRule = StringRule | IntegerRule;

/** Limits that a deployment may set (source: ours). */
export interface FieldLimits {
  /** Longest text of a field, in characters. */
  text: number;
  /** Highest quantity of an order. */
  quantity: number;
}

export const defaultFieldLimits: FieldLimits = { text: 255, quantity: 100 };

/** The fields of `POST /order` in the order of the interface (4.2), which is the order of their errors. */
export const orderFields = [
  {
    name: 'id',
    type: 'string',
    required: true,
    source: 'interface 4.2',
    description: 'user ID or game ID of the target account',
  },
  {
    name: 'server',
    type: 'string',
    source: 'interface 4.2',
    description: 'server ID, when the game needs one',
  },
  {
    name: 'game',
    type: 'string',
    required: true,
    source: 'interface 4.2',
    description: 'slug of an active game',
  },
  {
    name: 'product_id',
    type: 'integer',
    required: true,
    source: 'interface 4.2',
    description: 'chosen product',
  },
  {
    name: 'payment_method_id',
    type: 'integer',
    required: true,
    source: 'interface 4.2',
    description: 'chosen payment method',
  },
  {
    name: 'email',
    type: 'string',
    format: 'email',
    source: 'interface 4.2',
    description: "orderer's e-mail address",
  },
  {
    name: 'whatsapp',
    alias: 'messenger_number',
    type: 'string',
    required: true,
    source: 'interface 4.2',
    description: "orderer's phone number for the messaging app",
  },
  {
    name: 'nickname',
    type: 'string',
    source: 'interface 4.2',
    description: 'in-game nickname',
  },
  {
    name: 'promo_code',
    type: 'string',
    source: 'interface 4.2',
    description: 'promo code to apply',
  },
  {
    name: 'quantity',
    type: 'integer',
    min: 1,
    max: 'quantity',
    default: 1,
    source: 'interface 4.2',
    description: 'number of items',
  },
] as const satisfies readonly FieldRule[];

/** The fields of `POST /promo/validate` (source: live). */
export const promoFields = [
  { name: 'code', type: 'string', required: true, source: 'live', description: 'promo code to try' },
  {
    name: 'game_slug',
    type: 'string',
    required: true,
    source: 'live',
    description: 'slug of an active game',
  },
  { name: 'product_id', type: 'integer', required: true, source: 'live', description: 'chosen product' },
  {
    name: 'payment_method_id',
    type: 'integer',
    required: true,
    source: 'live',
    description: 'chosen payment method',
  },
  { name: 'whatsapp', type: 'string', source: 'live', description: "orderer's phone number" },
] as const satisfies readonly FieldRule[];

type ValueOf<Field> = Field extends { type: 'integer' } ? number : string;

/** The values that a table of field rules lets through, by field name. */
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

/** A valid order request: trimmed, aliases resolved, the quantity filled in. */
export type OrderInput = FieldValues<typeof orderFields>;
