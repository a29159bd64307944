// What the main entry and the light one both export.
export { formatMoney, type Locale, type Operation, unitPrice } from '@topup-kit/core/contract';
export * from './errors/index.ts';
export * from './generated/types.ts';
export { operations } from './operations.ts';
export type * from './options.ts';
export type { CreatedOrder, OrderList, OrderPage, OrdersResource } from './resources/orders.ts';
export type { ResponseSchema, SchemaIssue, SchemaResult, SendRequest } from './resources/request.ts';
export type * from './resources/resources.ts';
export type { Exchange, Result, TopupCall, WithRequestId } from './results.ts';
export { version } from './version.ts';
export type {
  FinalState,
  OrderResult,
  OrderWait,
  OutcomeName,
  PaidState,
} from './waiting/order-result.ts';
export type { WebhookSecret } from './webhooks/secret.ts';
export * from './webhooks/sign-webhook.ts';
export * from './webhooks/verify-webhook.ts';
