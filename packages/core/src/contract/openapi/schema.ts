/** A JSON Schema (2020-12) as far as the document uses it. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  default?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  'x-topup-source'?: string;
}

/** The address of a component in the document. */
export const refTo = (component: string): string => `#/components/schemas/${component}`;
