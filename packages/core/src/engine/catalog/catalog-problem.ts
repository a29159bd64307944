/** One rule that a catalogue file breaks: where (`games[3].slug`), and what the rule is. */
export interface CatalogProblem {
  path: string;
  rule: string;
}
