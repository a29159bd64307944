import { type DialectName, dialects, type MockOptions } from '@topup-kit/mock';

// safe: the keys of a const table
export const dialectNames = Object.keys(dialects) as DialectName[];

const isDialect = (name: string): name is DialectName => Object.hasOwn(dialects, name);

/** The dialect that the page's address asks for, as in `?dialect=strict`; this kit's own when it asks for none. */
export function askedDialect(search: string): { name: DialectName } | { unknown: string } {
  const name = new URLSearchParams(search).get('dialect') ?? 'kit';
  return isDialect(name) ? { name } : { unknown: name };
}

/** What a dialect says otherwise than this kit. */
export const changesOf = (name: DialectName): NonNullable<MockOptions['dialect']> => dialects[name];
