export { isFailing, noteAlerts } from './alerts.ts';
export * from './endpoints.ts';
export { sendWebhooks } from './room.ts';
export type {
  SendWebhook,
  WebhookHost,
  WebhookOutcome,
  WebhookRequest,
  WebhookResponse,
} from './send.ts';
export { type EventRecords, type FollowedEndpoint, verifyEvents } from './verify.ts';
