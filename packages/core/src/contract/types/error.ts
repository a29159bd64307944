/** Authentication failure (interface 7.1); also the shape of 429 (source: laravel). */
export interface MessageBody {
  message: string;
}

/** Business-rule failure (interface 7.1). */
export interface BusinessBody {
  success: false;
  message: string;
}

/** Field validation failure (interface 7.1): messages by field, in the order of the fields. */
export interface ValidationBody {
  message: string;
  errors: Record<string, string[]>;
}

/** General error envelope (interface 7.1). */
export interface EnvelopeBody {
  success: false;
  message: string;
  error_code: string;
  errors: Record<string, string[]>;
}

export type ErrorBody = MessageBody | BusinessBody | ValidationBody | EnvelopeBody;
