import type { Markup } from '../../pages/html.ts';
import { tabLinks } from './parts.ts';
import type { SectionDependencies } from './section.ts';
import type { View } from './view.ts';

/** The links to the pages of events: what was reported to the shop, and what it tells others. */
export const eventTabs = (view: View, current: string, { tabs }: Pick<SectionDependencies, 'tabs'>): Markup =>
  tabLinks(view, tabs(), current);
