import { isTopupError } from '@topup-kit/sdk';
import { en } from './en.ts';
import { keepAmounts } from './format.ts';
import { id, type Texts } from './id.ts';
import { type Language, useLanguage } from './language.ts';

const texts: Record<Language, Texts> = { id, en };

export const useTexts = (): Texts => texts[useLanguage()];

const isKnown = (code: string, errors: Texts['errors']): code is keyof Texts['errors'] =>
  Object.hasOwn(errors, code);

/** Returns the text for a visitor, chosen by the error's code. The service's own message is the last resort. */
export function errorText(error: unknown, { errors, failed }: Texts): string {
  if (!isTopupError(error)) return failed;
  if (isTopupError(error, 'UNKNOWN_OUTCOME') && !error.retryable) return errors.ORDER_UNCERTAIN;
  if (isKnown(error.code, errors)) return errors[error.code];
  if (error.name === 'TopupHttpError' && error.status < 500)
    return keepAmounts(error.serverMessage ?? failed);
  return failed;
}
