import { isTopupError } from '@topup-kit/sdk';
import { createSignal } from '../signal.ts';
import { en } from './en.ts';
import { id, type Texts } from './id.ts';

export type Language = 'id' | 'en';

const languages: Record<Language, Texts> = { id, en };
const storageKey = 'kilat:language';
const language = createSignal<Language>(localStorage.getItem(storageKey) === 'en' ? 'en' : 'id');

export const useLanguage = language.use;
export const useTexts = (): Texts => languages[language.use()];

export function setLanguage(next: Language): void {
  localStorage.setItem(storageKey, next);
  language.set(next);
}

const isKnown = (code: string, errors: Texts['errors']): code is keyof Texts['errors'] =>
  Object.hasOwn(errors, code);

/** The text for a visitor, chosen by the error's code. The service's own message is the last resort. */
export function errorText(error: unknown, { errors, failed }: Texts): string {
  if (!isTopupError(error)) return failed;
  if (isTopupError(error, 'UNKNOWN_OUTCOME') && !error.retryable) return errors.ORDER_UNCERTAIN;
  if (isKnown(error.code, errors)) return errors[error.code];
  if (error.name === 'TopupHttpError' && error.status < 500) return error.serverMessage ?? failed;
  return failed;
}
