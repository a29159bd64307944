import type { ErrorCode, ErrorShape } from '../errors.ts';
import type { Localised } from '../locale.ts';
import type { Operation } from '../routes.ts';
import type { Source } from '../schema-docs.ts';

/** JSON Schema keywords (2020-12) that the document uses. */
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

interface Sourced {
  'x-topup-source': Source;
}

export interface ExampleObject extends Partial<Sourced> {
  summary: string;
  value: unknown;
}

interface MediaTypeObject {
  schema: JsonSchema;
  examples: Record<string, ExampleObject>;
}

type Content = Record<'application/json', MediaTypeObject>;

export interface HeaderObject extends Sourced {
  description: string;
  schema: JsonSchema;
}

export interface ParameterObject extends HeaderObject {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  example?: string | number;
}

/** An error of a response. */
export interface ErrorObject extends Sourced {
  code: ErrorCode;
  shape: ErrorShape;
  message: Localised;
}

export interface ResponseObject {
  description: string;
  headers: Record<string, HeaderObject>;
  /** Left out for a response without a body. */
  content?: Content;
  /** The source of a success response's shape. */
  'x-topup-source'?: Source;
  /** Possible errors of the response. */
  'x-topup-errors'?: ErrorObject[];
}

export interface OperationObject extends Sourced {
  operationId: Operation;
  tags: string[];
  summary: string;
  description: string;
  parameters: ParameterObject[];
  requestBody?: { required: true; content: Content };
  responses: Record<string, ResponseObject>;
}

/** A request that the service sends. */
export interface WebhookObject extends Omit<OperationObject, 'operationId' | 'responses' | 'requestBody'> {
  /** The event type. */
  operationId: string;
  /** Empty, because it needs no key of this interface. */
  security: [];
  requestBody: { required: true; content: Content };
  responses: Record<string, { description: string }>;
}

/** The OpenAPI 3.1 document of this kit. */
export interface OpenApiDocument {
  openapi: '3.1.1';
  info: Record<'title' | 'summary' | 'description' | 'version', string> & {
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Partial<Record<'get' | 'post', OperationObject>>>;
  webhooks: Record<string, { post: WebhookObject }>;
  components: {
    securitySchemes: Record<
      string,
      Sourced & { type: 'apiKey'; in: 'header'; name: string; description: string }
    >;
    schemas: Record<string, JsonSchema>;
  };
  /** Errors of requests that match no operation. */
  'x-topup-errors': (ErrorObject & { status: number })[];
}
