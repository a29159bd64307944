import type { FieldLimits } from '../field-rules.ts';

/** The limits of a deployment that its document tells; a rate of 0 means no limit. */
export interface OpenApiLimits extends FieldLimits {
  /** Largest request body, in bytes. */
  bodyBytes: number;
  /** Requests a minute for each pair of key and address. */
  readsPerMinute: number;
  ordersPerMinute: number;
}
