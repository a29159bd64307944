import type { Markup } from '../../pages/html.ts';
import { tabLinks } from './parts.ts';
import type { SectionDependencies } from './section.ts';
import type { View } from './view.ts';

/** The links to the pages beside one: those of all sections that begin with the same name. */
export function sectionTabs(
  view: View,
  current: string,
  { tabs }: Pick<SectionDependencies, 'tabs'>,
): Markup {
  const beginning = current.split('/')[1];
  const beside = Object.entries(tabs()).filter(([path]) => path.split('/')[1] === beginning);
  return tabLinks(view, Object.fromEntries(beside), current);
}
