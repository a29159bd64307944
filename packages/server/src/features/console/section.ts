import type { Localised } from '@topup-kit/core/contract';
import type { AlertKind } from '@topup-kit/core/engine';
import type { StoredOrder, StoredUnit, SupplierBalance } from '@topup-kit/core/store';
import type { Markup } from '../../pages/html.ts';
import type { ConsoleAction } from './actions.ts';
import type { IconName } from './icons.ts';
import type { Page } from './page.ts';
import type { Column, Tone } from './parts.ts';
import type { ConsoleDependencies, View } from './view.ts';

export interface PageInput {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  cookie: (name: string) => string | undefined;
}

/** By name, the values that a filter takes, or whether it takes one. An empty value is that of a form's empty field. */
export type Filters = Readonly<Record<string, readonly string[] | ((value: string) => boolean)>>;

export const anyText = (): boolean => true;

/** The parameters of a query that a page does not take: `state=PAYD`. */
export const unknownFilters = (query: Readonly<Record<string, string>>, filters: Filters): string[] =>
  Object.entries(query)
    .filter(([name, value]) => {
      // The console itself reads what was done, and a list the place of a page.
      if (name === 'done' || name === 'of' || name === 'after') return false;
      const known = Object.hasOwn(filters, name) ? filters[name] : undefined;
      if (known === undefined) return true;
      return value.trim() !== '' && !(typeof known === 'function' ? known(value) : known.includes(value));
    })
    .map(([name, value]) => `${name}=${value}`);

/** A page by its route below the console's path. */
export interface ConsolePage {
  path: string;
  /**
   * The parameters of the page's address, each with the values that it takes; left out for a page that reads none. Others get no
   * list, because it would be longer than the visitor means.
   */
  filters?: Filters;
  /** Null when there is nothing of that name. A response is sent as it is, such as a redirect. */
  render: (view: View, request: PageInput) => Promise<Page | Response | null>;
}

/** The pages of a section, and what can be done there. */
export interface ConsoleSection {
  /** Its links among those of pages that begin with the same name, by path. */
  tabs?: Readonly<Record<string, Localised>>;
  pages: readonly ConsolePage[];
  actions: readonly ConsoleAction[];
}

export interface SectionDependencies extends ConsoleDependencies {
  /** The place of the last change of an order, from which on a page is renewed. */
  position: () => Promise<number>;
  /** The links of all sections, by path. */
  tabs: () => Readonly<Record<string, Localised>>;
}

export type CreateSection = (deps: SectionDependencies) => ConsoleSection;

/** How the overview shows an alert. */
export interface AlertLook {
  tone: Tone;
  icon: IconName;
  title: Localised;
  /** What its button says. */
  verb: Localised;
}

/** What can be done about an alert right where it is shown. */
export type AlertButtons = Partial<Record<AlertKind, Markup>>;

/** What a room shows on the overview. */
export interface OverviewPart {
  buttons?: AlertButtons;
  /** The figures of the day, beside what is owed. */
  figures?: readonly Markup[];
  /** Below what waits for an operator. */
  left?: Markup;
  /** Below the balances at suppliers. */
  right?: Markup;
  /** What a balance means. */
  ofBalance?: (balance: SupplierBalance) => string;
}

export type CreateOverview = (
  deps: ConsoleDependencies,
) => (view: View, query: PageInput['query']) => Promise<OverviewPart>;

/** What a room shows on the page of an order, and the action of its buttons; null where it has nothing. */
export type CreateOrderCard = (deps: ConsoleDependencies) => {
  action: ConsoleAction;
  render: (view: View, story: { order: StoredOrder; units: readonly StoredUnit[] }) => Markup | '';
} | null;

/** A column of the list of products, each by the shop's code. */
export type CreateProductColumn = (
  deps: ConsoleDependencies,
) => (view: View) => Promise<Column<{ code: string }>>;
