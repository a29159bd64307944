/** All of a union at once; of an empty one, which is that of no rooms, an object. */
export type Merged<Union> = [Union] extends [never]
  ? object
  : (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
    ? All
    : never;
