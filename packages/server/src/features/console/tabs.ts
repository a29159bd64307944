import type { Markup } from '../../pages/html.ts';
import { tabLinks } from './parts.ts';
import type { SectionDependencies } from './section.ts';
import type { View } from './view.ts';

/** Links to the related pages of all sections, which begin with the same name; none for the overview. */
export function sectionTabs(
  view: View,
  current: string,
  { tabs }: Pick<SectionDependencies, 'tabs'>,
): Markup {
  const beginning = (path: string): string => path.split('/')[1] ?? 'overview';
  const beside = Object.entries(tabs()).filter(([path]) => beginning(path) === beginning(current));
  return tabLinks(view, Object.fromEntries(beside), current);
}
