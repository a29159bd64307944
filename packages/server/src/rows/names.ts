/** A name for command-line completion. */
export interface StoreName {
  name: string;
  /** A short description; may be empty. */
  about: string;
}
