import { isTopupError } from '@topup-kit/sdk';
import { createSignal } from '../signal.ts';
import { en } from './en.ts';
import { id, type Words } from './id.ts';

export type Language = 'id' | 'en';

const languages: Record<Language, Words> = { id, en };
const stored = 'kilat:language';
const language = createSignal<Language>(localStorage.getItem(stored) === 'en' ? 'en' : 'id');

export const useLanguage = language.use;
export const useWords = (): Words => languages[language.use()];

export function setLanguage(next: Language): void {
  localStorage.setItem(stored, next);
  language.set(next);
}

const isKnown = (code: string, errors: Words['errors']): code is keyof Words['errors'] =>
  Object.hasOwn(errors, code);

/** What to tell a visitor: by the code, never by reading the message, which is shown where the code says nothing. */
export function errorWords(error: unknown, { errors, failed }: Words): string {
  if (!isTopupError(error)) return failed;
  if (isTopupError(error, 'UNKNOWN_OUTCOME') && !error.retryable) return errors.ORDER_UNCERTAIN;
  if (isKnown(error.code, errors)) return errors[error.code];
  if (error.name === 'TopupHttpError' && error.status < 500) return error.serverMessage ?? failed;
  return failed;
}
