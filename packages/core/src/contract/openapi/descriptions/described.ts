import type { Source } from '../../source.ts';

/** What a field says, and where it comes from when that differs from the rest of its object. */
type Said = string | DescribedField;

type DescribedField = readonly [description: string, source: Source];

export interface Described<Field extends string = string> {
  /** Where the object comes from. */
  source: Source;
  description: string;
  fields: Record<Field, DescribedField>;
}

/** The descriptions of an object's fields; compiles only when each field of the wire type has one. */
export const describing =
  <Type extends object>() =>
  (
    source: Source,
    description: string,
    fields: Record<keyof Type & string, Said>,
  ): Described<keyof Type & string> => {
    const sourced = Object.entries<Said>(fields).map(([name, said]) => [
      name,
      typeof said === 'string' ? [said, source] : said,
    ]);
    // Safe: the same fields, each with its source.
    return { source, description, fields: Object.fromEntries(sourced) as Record<string, DescribedField> };
  };
