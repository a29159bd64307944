import { zonedTime } from '../engine/index.ts';
import type { StoredOrder } from '../store/index.ts';
import { type AppSettings, spokenBy } from './settings.ts';
import { createUrls } from './urls.ts';
import { orderCreatedView } from './views/order.ts';

/** Writes the answer to a created order, which is stored with it and replayed to the byte. */
export function createAnswerRenderer(settings: AppSettings): (order: StoredOrder) => string {
  const { timezone } = spokenBy(settings);
  const tools = { settings, urls: createUrls(settings.publicUrl), localTime: zonedTime(timezone) };
  return (order) => JSON.stringify(orderCreatedView(order, tools));
}
