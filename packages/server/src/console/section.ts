import type { ConsoleAction } from './actions.ts';
import type { Page } from './page.ts';
import type { ConsoleDependencies, View } from './view.ts';

/** What a page is asked for. */
export interface PageInput {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** The value of a cookie. */
  cookie: (name: string) => string | undefined;
}

/** A page by its route below the console's path. */
export interface ConsolePage {
  path: string;
  /** Null when there is nothing of that name. A response is sent as it is, such as a redirect. */
  render: (view: View, request: PageInput) => Promise<Page | Response | null>;
}

/** The pages of a section, and what can be done there. */
export interface ConsoleSection {
  pages: readonly ConsolePage[];
  actions: readonly ConsoleAction[];
}

/** What a section is created with. */
export interface SectionDependencies extends ConsoleDependencies {
  /** The place of the last change of an order, from which on a page is renewed. */
  position: () => Promise<number>;
}

export type CreateSection = (deps: SectionDependencies) => ConsoleSection;
