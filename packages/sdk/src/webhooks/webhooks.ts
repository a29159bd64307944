import { verifyWebhook } from './verify-webhook.ts';

/** `verifyWebhook` under the name that other SDKs have for it. */
export const webhooks: { readonly unwrap: typeof verifyWebhook } = {
  /** Checks that a request is a webhook of your service, and resolves with its event: `verifyWebhook`. */
  unwrap: verifyWebhook,
};
