import type { Markup } from '../../../pages/html.ts';
import { tabLinks } from '../parts.ts';
import type { View } from '../view.ts';

const tabs = {
  '/sandbox': { id: 'Kendali', en: 'Controls' },
  '/sandbox/requests': { id: 'Permintaan', en: 'Requests' },
};

export const sandboxTabs = (view: View, current: keyof typeof tabs): Markup => tabLinks(view, tabs, current);
