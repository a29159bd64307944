import { usageError } from '../errors/cli-error.ts';

/** The text of an option that a command needs; `missing` says what it should tell. */
export function readText(flag: string, text: string | undefined, missing: string): string {
  if (text !== undefined && text.trim() !== '') return text;
  throw usageError(text === undefined ? `${flag} is missing: ${missing}.` : `${flag} needs a text.`);
}
