/** A word that would fit. */
export interface Suggestion {
  value: string;
  /** What it is, where its name doesn't tell: the title of a product. */
  about?: string | undefined;
}

/** What can stand where the cursor is. */
export interface Completion {
  /** What comes before the value in the same word, such as `--game=`. */
  prefix: string;
  /** `files` leaves it to the shell, which knows them best. */
  values: readonly Suggestion[] | 'files';
}
