import type { ConsoleAction } from './actions.ts';
import type { Page } from './page.ts';
import type { ConsoleDependencies, View } from './view.ts';

/** A page by its route below the console's path. */
export interface ConsolePage {
  path: string;
  /** Null when there is nothing of that name. */
  render: (
    view: View,
    request: { params: Readonly<Record<string, string>>; query: Readonly<Record<string, string>> },
  ) => Promise<Page | null>;
}

/** The pages of a section, and what can be done there. */
export interface ConsoleSection {
  pages: readonly ConsolePage[];
  actions: readonly ConsoleAction[];
}

/** Creates a section. `position` is the place of the last change of an order, from which on a page is renewed. */
export type CreateSection = (
  deps: ConsoleDependencies & { position: () => Promise<number> },
) => ConsoleSection;
