const separators = /[\s().-]/g;

/**
 * Phone numbers without separators (source: ours): an Indonesian one with its zero, with 62 or with +62, and one of
 * any other country with + and the country code (E.164).
 */
const phone = /^((0|\+?620?)[1-9]\d{7,11}|\+(?!62)[1-9]\d{6,14})$/;

/** Whether a text is a phone number; spaces, hyphens, dots and brackets may group its digits. */
export const isPhone = (text: string): boolean => phone.test(text.replace(separators, ''));

/**
 * The digits that identify a phone number: with the country code of Indonesia instead of a leading zero, so that
 * `0812-3456-7890`, `+62 0812 3456 7890` and `6281234567890` are one number. A text without digits stays as it is.
 */
export function phoneDigits(text: string): string {
  const digits = text.replace(/\D/g, '');
  return digits === '' ? text : digits.replace(/^(620|0)/, '62');
}
