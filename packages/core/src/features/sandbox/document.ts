import type { FieldFailure, Fields } from '../../contract/index.ts';
import { type DomainError, invalidFields } from '../../engine/errors.ts';

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const invalidField = (name: string, failure: FieldFailure): DomainError =>
  invalidFields({ [name]: [failure] });

/** The number after `@` increases when older files must be upgraded. Additional fields don't need a new number. */
export const formats = { snapshot: 'topup-kit/snapshot@1', seed: 'topup-kit/seed@1' } as const;

/** Parses a document that was sent as text, or returns a parsed document. @throws DomainError VALIDATION_ERROR for text that is not JSON. */
export function parseDocument(sent: unknown, field: string): unknown {
  if (typeof sent !== 'string') return sent;
  try {
    return JSON.parse(sent);
  } catch {
    throw invalidField(field, { rule: 'json' });
  }
}

/**
 * Reads a file and checks its `format`.
 *
 * @param sent its JSON, as text or parsed
 * @throws DomainError VALIDATION_ERROR for another format, or a newer one.
 */
export function readDocument(sent: unknown, field: string, kind: keyof typeof formats): Fields {
  const document = parseDocument(sent, field);
  const expected = formats[kind];
  if (isObject(document) && document.format === expected) return document;
  const format = isObject(document) ? String(document.format).slice(0, 80) : typeof document;
  const isNewer = format.startsWith(expected.slice(0, -1)) && Number(format.slice(expected.length - 1)) > 1;
  throw invalidField(field, {
    rule: isNewer ? 'documentNewer' : 'documentFormat',
    params: { format, expected },
  });
}
