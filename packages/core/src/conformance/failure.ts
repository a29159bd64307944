/**
 * A sentence of a document, by the id that {@link parseStatements} gives it: `interface 2.1/populer` is the row
 * `populer` of section 2.1; `open-points Errors/...` is this kit's reading of the interface's silence.
 */
export type Citation = `interface ${string}` | `open-points ${string}`;

/** What a service did, and what a sentence of the contract wants. */
export interface Difference {
  /** Method and path, as in `POST /order`. */
  request: string;
  /** JSON path or header; left out for the response as a whole. */
  at?: string | undefined;
  expected: string;
  came: string;
  by: Citation;
}

/**
 * The service departs from the contract.
 *
 * @example
 * failure.message; // 'POST /order, $.data.quantity: expected 1 (interface 4.2/quantity), got 2'
 */
export class ConformanceFailure extends Error {
  override readonly name = 'ConformanceFailure';
  readonly difference: Difference;

  constructor(difference: Difference) {
    const { request, at, expected, came, by } = difference;
    super(`${request}${at === undefined ? '' : `, ${at}`}: expected ${expected} (${by}), got ${came}`);
    this.difference = difference;
  }
}

/** The case can't be tried on this target; the message says why. */
export class ConformanceSkip extends Error {
  override readonly name = 'ConformanceSkip';
}
