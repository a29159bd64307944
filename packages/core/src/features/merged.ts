/** The intersection of a union; an object for an empty union, without rooms. */
export type Merged<Union> = [Union] extends [never]
  ? object
  : (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
    ? All
    : never;
