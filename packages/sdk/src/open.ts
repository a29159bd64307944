/** A wire type read forward-compatibly: its fixed strings may also be strings that nobody knows yet. */
export type Open<Type> = Type extends string
  ? string extends Type
    ? Type
    : Type | (string & {})
  : Type extends object
    ? { [Key in keyof Type]: Open<Type[Key]> }
    : Type;
