/** `integer` is a safe integer of JavaScript; `number` is any finite number. */
export type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'true';

/** An object with at least these fields. */
export interface Fields {
  readonly [name: string]: Shape;
}

/** The expected shape of a value. */
export type Shape = Kind | Fields | readonly [tag: 'array' | 'nullable' | 'optional', of: Shape];
