/**
 * A reference to a sentence of the documents, with the id that {@link parseStatements} gives it. `interface 2.1/populer` is the row
 * `populer` of section 2.1 of the interface; `open-points Errors/...` is a choice of this kit where the interface leaves a choice open.
 */
export type SpecReference = `interface ${string}` | `open-points ${string}`;

/** The value that the contract requires, and the service's value. */
export interface Difference {
  /** Method and path, as in `POST /order`. */
  request: string;
  /** JSON path or header; left out for the whole response. */
  at?: string | undefined;
  expected: string;
  received: string;
  by: SpecReference;
}

/** A sent request, recorded to send it again. Names of {@link keyVariables} replace its keys. */
export interface RecordedRequest {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body?: string;
}

/** Shell variables for a target's keys, so that no report contains a secret. */
export const keyVariables = { apiKey: '$TOPUP_API_KEY', otherApiKey: '$TOPUP_OTHER_API_KEY' } as const;

type Keys = Partial<Record<keyof typeof keyVariables, string | undefined>>;

/** Replaces a target's keys anywhere in a value, which must be JSON. */
export function withoutKeys<Value>(value: Value, { apiKey = '', otherApiKey = '' }: Keys): Value {
  const insideJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  let json = JSON.stringify(value);
  if (apiKey !== '') json = json.replaceAll(insideJson(apiKey), keyVariables.apiKey);
  if (otherApiKey !== '') json = json.replaceAll(insideJson(otherApiKey), keyVariables.otherApiKey);
  // Safe: only texts changed.
  return JSON.parse(json) as Value;
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
  /** The request whose response violates the contract. */
  readonly sent: RecordedRequest;

  constructor(difference: Difference, sent: RecordedRequest) {
    const { request, at, expected, received, by } = difference;
    super(`${request}${at === undefined ? '' : `, ${at}`}: expected ${expected} (${by}), got ${received}`);
    this.difference = difference;
    this.sent = sent;
  }
}

/** The case can't run on this target; the message says why. */
export class ConformanceSkip extends Error {
  override readonly name = 'ConformanceSkip';
}
