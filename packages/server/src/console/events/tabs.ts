import type { Markup } from '../../pages/html.ts';
import { tabLinks } from '../parts.ts';
import type { View } from '../view.ts';

const tabs = {
  '/events': { id: 'Callback masuk', en: 'Callbacks in' },
  '/events/webhooks': { id: 'Webhook keluar', en: 'Webhooks out' },
};

/** The links to the pages of events. */
export const eventTabs = (view: View, current: keyof typeof tabs): Markup => tabLinks(view, tabs, current);
