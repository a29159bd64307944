import type { CreateSection } from '../section.ts';
import { callbackPages } from './callbacks.ts';
import { webhookPages } from './webhooks.ts';

/** What gateways and suppliers reported, and what others were told. */
export const eventPages: CreateSection = (deps) => {
  const callbacks = callbackPages(deps);
  const webhooks = webhookPages(deps);
  return {
    actions: [...callbacks.actions, ...webhooks.actions],
    pages: [...callbacks.pages, ...webhooks.pages],
  };
};
