import { usageError } from '../errors/cli-error.ts';

/** Reads the text of a required option. `missing` describes its content in the error. */
export function readText(flag: string, text: string | undefined, missing: string): string {
  if (text !== undefined && text.trim() !== '') return text;
  throw usageError(text === undefined ? `${flag} is missing: ${missing}.` : `${flag} needs a text.`);
}
