import { activityPages } from './activity/activity.ts';
import { callbackPages } from './callbacks/callbacks.ts';
import { catalogPages } from './catalog/catalog.ts';
import { homePages } from './home/home.ts';
import { orderPages } from './orders/orders.ts';
import { promoPages } from './promos/promos.ts';
import { reportPages } from './reports/sales-page.ts';
import { sandboxPages } from './sandbox/sandbox.ts';
import type { CreateSection } from './section.ts';
import { webhookPages } from './webhooks/webhooks.ts';

/** Sections in the order of their links. */
export const sections: Readonly<Record<string, CreateSection>> = {
  home: homePages,
  reports: reportPages,
  activity: activityPages,
  orders: orderPages,
  catalog: catalogPages,
  promos: promoPages,
  callbacks: callbackPages,
  webhooks: webhookPages,
  sandbox: sandboxPages,
};
