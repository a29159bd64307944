export { createOpenApi } from './document.ts';
export type {
  ExampleObject,
  HeaderObject,
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ResponseObject,
  WebhookObject,
} from './types.ts';
