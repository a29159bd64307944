import {
  type ErrorCode,
  type ErrorCodeIn,
  type ErrorDefinition,
  type ErrorShape,
  errors,
  type MessageParam,
  promoSubjects,
} from './errors.ts';
import { type FieldErrors, messagesByField, summarise } from './field-messages.ts';
import type { FieldLimits, FieldRule } from './fields.ts';
import { formatMoney } from './format.ts';
import type { ErrorBody } from './generated/types.ts';
import type { Locale } from './locale.ts';
import { normaliseFields, validateFields } from './read-fields.ts';
import type { Scope } from './routes.ts';

/** Codes whose messages have placeholders. */
type ParametricCode = {
  [Code in ErrorCode]: (typeof errors)[Code] extends { params: object } ? Code : never;
}[ErrorCode];

/** Codes whose messages summarise messages about fields. */
type FieldsCode = ErrorCodeIn<'validation' | 'malformed'>;

type KindOf<Example> = Example extends string
  ? string
  : Example extends { money: number }
    ? { money: number }
    : Extract<MessageParam, { subject: string }>;

/** A value for each placeholder of an error's message. */
export type MessageParams<Code extends ParametricCode> = {
  -readonly [Name in keyof (typeof errors)[Code]['params']]: KindOf<(typeof errors)[Code]['params'][Name]>;
};

interface Cause {
  cause?: unknown;
}

type DetailsOf<Code extends ErrorCode> = Code extends ParametricCode
  ? Cause & { params: MessageParams<Code> }
  : Code extends FieldsCode
    ? Cause & { fields: FieldErrors }
    : Cause;

/** An error's details in addition to its code: values for its message, or failures of fields. */
export type ErrorArguments<Code extends ErrorCode> = [Code & (ParametricCode | FieldsCode)] extends [never]
  ? [details?: DetailsOf<Code>]
  : [details: DetailsOf<Code>];

/** An error with its details. */
interface RaisedError {
  code: ErrorCode;
  params: Readonly<Record<string, MessageParam>>;
  fields?: FieldErrors | undefined;
}

/** The language and currency of messages. */
export interface LocaleSettings {
  locale: Locale;
  /** ISO 4217. */
  currency: string;
}

/** A request outside the interface. */
export interface OutsideRequest {
  path: string;
  /** The interface's path. */
  basePath: string;
}

function textOf(value: MessageParam, { locale, currency }: LocaleSettings): string {
  if (typeof value === 'string') return value;
  return 'money' in value ? formatMoney(value.money, currency, locale) : promoSubjects[value.subject][locale];
}

/** Returns the message of an error, with values in place of its placeholders. */
function messageOf(
  { code, params }: RaisedError,
  settings: LocaleSettings,
  outside?: OutsideRequest,
): string {
  const definition: ErrorDefinition = errors[code];
  const message = (outside && definition.outside) ?? definition.message;
  const values = new Map(Object.entries<MessageParam>({ ...params, ...outside }));
  return message[settings.locale].replace(/\{(\w+)\}/g, (braces, name: string) => {
    const value = values.get(name);
    return value === undefined ? braces : textOf(value, settings);
  });
}

/** Returns an error's messages by field for the validation shape; empty for an error without a field. */
function fieldOf(code: ErrorCode, message: string): Record<string, string[]> {
  const { field }: ErrorDefinition = errors[code];
  return field === undefined ? {} : { [field]: [message] };
}

/** Returns the order in an error's parameters as a field of the body. */
export const namedOrder = ({ params: { orderId } }: Pick<RaisedError, 'params'>): { orderId?: string } =>
  typeof orderId === 'string' ? { orderId } : {};

/** Creates the body of an error in a shape of interface 7.1. */
export function errorBody(
  error: RaisedError,
  shape: ErrorShape,
  settings: LocaleSettings,
  outside?: OutsideRequest,
): ErrorBody {
  const byField = error.fields && messagesByField(error.fields, settings.locale);
  const message = byField ? summarise(byField, settings.locale) : messageOf(error, settings, outside);
  const named = namedOrder(error);
  switch (shape) {
    case 'message':
      return { message, ...named };
    case 'business':
      return { success: false, message, ...named };
    case 'validation':
      return { message, errors: byField ?? fieldOf(error.code, message), ...named };
    case 'envelope':
      return { success: false, message, error_code: error.code, errors: byField ?? {}, ...named };
  }
}

/** The operation and limits of an example error. */
export interface ErrorContext {
  scope: Scope;
  /** Fields of the operation's body. */
  fields: readonly FieldRule[];
  limits: FieldLimits & { bodyBytes: number };
}

function exampleParams(code: ErrorCode, { scope, limits }: ErrorContext): RaisedError['params'] {
  if (code === 'FORBIDDEN') return { scope };
  if (code === 'PAYLOAD_TOO_LARGE') return { maximum: String(limits.bodyBytes) };
  const { params = {} }: ErrorDefinition = errors[code];
  return params;
}

/** Returns the failures of fields in an empty body, or for a body that is not JSON. */
function exampleFields(code: ErrorCode, { fields, limits }: ErrorContext): FieldErrors | undefined {
  const { group } = errors[code];
  if (group === 'malformed') return { body: [{ rule: 'json' }] };
  if (group !== 'validation') return undefined;
  const checked = validateFields(fields, normaliseFields(fields, {}), limits);
  return 'errors' in checked ? checked.errors : {};
}

export const exampleError = (code: ErrorCode, context: ErrorContext): RaisedError => ({
  code,
  params: exampleParams(code, context),
  fields: exampleFields(code, context),
});
