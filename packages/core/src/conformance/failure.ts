/**
 * A reference to a sentence of the documents, with the id that {@link parseStatements} gives it. `interface 2.1/populer`
 * is the row `populer` of section 2.1 of the interface; `open-points Errors/...` is a choice of this kit, where the
 * interface leaves one open.
 */
export type Citation = `interface ${string}` | `open-points ${string}`;

/** What a sentence of the contract expects, and what a service returned. */
export interface Difference {
  /** Method and path, as in `POST /order`. */
  request: string;
  /** JSON path or header; left out for the response as a whole. */
  at?: string | undefined;
  expected: string;
  received: string;
  by: Citation;
}

/**
 * The service violates the contract.
 *
 * @example
 * failure.message; // 'POST /order, $.data.quantity: expected 1 (interface 4.2/quantity), got 2'
 */
export class ConformanceFailure extends Error {
  override readonly name = 'ConformanceFailure';
  readonly difference: Difference;

  constructor(difference: Difference) {
    const { request, at, expected, received, by } = difference;
    super(`${request}${at === undefined ? '' : `, ${at}`}: expected ${expected} (${by}), got ${received}`);
    this.difference = difference;
  }
}

/** The case can't run on this target; the message says why. */
export class ConformanceSkip extends Error {
  override readonly name = 'ConformanceSkip';
}
