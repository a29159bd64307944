/** `integer` is one that JavaScript holds exactly; `number` is any finite one. */
export type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'true';

/** An object that has at least these fields. */
export interface Fields {
  readonly [name: string]: Shape;
}

/** What a value must be like: as little as tells a well-formed answer from another. */
export type Shape = Kind | Fields | readonly [tag: 'array' | 'nullable' | 'optional', of: Shape];
