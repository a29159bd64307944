import {
  type ErrorBody,
  type ErrorDefinition,
  type ErrorShape,
  errorFields,
  errors,
  formatMoney,
  headers,
  type Locale,
  promoSubjects,
  summarise,
} from '../contract/index.ts';
import type { Refusal, Words } from '../engine/index.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import { RefusalWithHeaders } from './refusal-with-headers.ts';

/** How the service speaks to its clients. */
interface Speech {
  locale: Locale;
  /** ISO 4217. */
  currency: string;
}

function word(value: Words[string], { locale, currency }: Speech): string {
  if (typeof value === 'string') return value;
  return 'money' in value ? formatMoney(value.money, currency, locale) : promoSubjects[value.subject][locale];
}

/** The message of an error in the language of the service, with its words filled in. */
function messageOf(refusal: Refusal, definition: ErrorDefinition, speech: Speech): string {
  if (refusal.fields) return summarise(refusal.fields);
  return definition.message[speech.locale].replace(/\{(\w+)\}/g, (braces, name: string) => {
    const value = refusal.words[name];
    return value === undefined ? braces : word(value, speech);
  });
}

function bodyOf(refusal: Refusal, shape: ErrorShape, message: string): ErrorBody {
  switch (shape) {
    case 'message':
      return { message };
    case 'business':
      return { success: false, message };
    case 'validation':
      return { message, errors: refusal.fields ?? errorFields(refusal.code, message) };
    case 'envelope':
      return { success: false, message, error_code: refusal.code, errors: refusal.fields ?? {} };
  }
}

/** The answer to a refused request, from the one table of errors. */
export function errorAnswer(refusal: Refusal, shape: ErrorShape, speech: Speech): Answer {
  const definition: ErrorDefinition = errors[refusal.code];
  return jsonAnswer(definition.status, bodyOf(refusal, shape, messageOf(refusal, definition, speech)), {
    ...(definition.retryAfter !== undefined && { [headers.retryAfter]: String(definition.retryAfter) }),
    ...(refusal instanceof RefusalWithHeaders && refusal.headers),
    [headers.errorCode]: refusal.code,
  });
}
