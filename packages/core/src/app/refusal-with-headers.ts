import type { ErrorCode } from '../contract/index.ts';
import { Refusal, type Words } from '../engine/index.ts';

/** A refusal whose answer says more in its headers: when to come back, what is allowed. */
export class RefusalWithHeaders extends Refusal {
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, headers: Record<string, string>, words: Words = {}) {
    super(code, { words });
    this.headers = headers;
  }
}
