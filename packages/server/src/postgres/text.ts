/**
 * PostgreSQL stores no NUL characters. Texts of suppliers and customers may hold one, and are kept with U+FFFD in its place; the
 * JSON documents of the store escape theirs.
 */
export function withoutNul(text: string): string;
export function withoutNul(text: string | null): string | null;
export function withoutNul(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\0', '\uFFFD');
}
