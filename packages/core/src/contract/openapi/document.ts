import type { ErrorCode, ErrorShape, Localised } from '../errors.ts';
import type { Operation } from '../routes.ts';
import type { Source } from '../source.ts';
import type { JsonSchema } from './schema.ts';

/** Whatever is told with where it comes from. */
export interface Sourced {
  'x-topup-source': Source;
}

export interface ExampleObject extends Partial<Sourced> {
  summary: string;
  value: unknown;
}

export interface MediaTypeObject {
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
  in: 'path' | 'header';
  required: boolean;
  example?: string;
}

/** One error that a response can carry. */
export interface ErrorObject extends Sourced {
  code: ErrorCode;
  shape: ErrorShape;
  message: Localised;
}

export interface ResponseObject {
  description: string;
  headers: Record<string, HeaderObject>;
  content: Content;
  /** Where the shape of a successful answer comes from. */
  'x-topup-source'?: Source;
  /** What a refusal can be for. */
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

/** An OpenAPI 3.1 document as this kit writes it. */
export interface OpenApiDocument {
  openapi: '3.1.1';
  info: Record<'title' | 'summary' | 'description' | 'version', string> & {
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Partial<Record<'get' | 'post', OperationObject>>>;
  components: {
    securitySchemes: Record<
      string,
      Sourced & { type: 'apiKey'; in: 'header'; name: string; description: string }
    >;
    schemas: Record<string, JsonSchema>;
  };
  /** What a request that no operation takes is refused for. */
  'x-topup-errors': (ErrorObject & { status: number })[];
}
