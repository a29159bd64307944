import type { Localised } from '@topup-kit/core/contract';
import type { AlertKind } from '@topup-kit/core/engine';
import type { StoredOrder, StoredUnit, SupplierBalance } from '@topup-kit/core/store';
import type { Markup } from '../../pages/html.ts';
import type { ConsoleAction } from './actions.ts';
import type { IconName } from './icons.ts';
import type { Page } from './page.ts';
import { type Column, type Content, type Tone, tabLinks } from './parts.ts';
import type { ConsoleDependencies, View } from './view.ts';

export interface PageInput {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  cookie: (name: string) => string | undefined;
}

/** Values of each filter, or a check of its value. An empty value comes from an empty field of a form. */
export type Filters = Readonly<Record<string, readonly string[] | ((value: string) => boolean)>>;

export const anyText = (): boolean => true;

/** Returns the parameters of a query that a page doesn't accept, such as `state=PAYD`. */
export const unknownFilters = (query: Readonly<Record<string, string>>, filters: Filters): string[] =>
  Object.entries(query)
    .filter(([name, value]) => {
      // The console reads `done` and `of`; a list reads `after`.
      if (name === 'done' || name === 'of' || name === 'after') return false;
      const known = Object.hasOwn(filters, name) ? filters[name] : undefined;
      if (known === undefined) return true;
      return value.trim() !== '' && !(typeof known === 'function' ? known(value) : known.includes(value));
    })
    .map(([name, value]) => `${name}=${value}`);

/** A page and its route below the console's path. */
export interface ConsolePage {
  path: string;
  /**
   * Parameters of the page's address with their values; omitted for a page without parameters. An unknown parameter shows no list, because
   * the list would be longer than the visitor expects.
   */
  filters?: Filters;
  /** Renders the page; null if nothing has the name in its path. A response, such as a redirect, is sent unchanged. */
  render: (view: View, request: PageInput) => Promise<Page | Response | null>;
}

/** The pages and actions of a section. */
export interface ConsoleSection {
  /** Links to the section's pages by path; pages whose paths begin with the same name link to each other. */
  tabs?: Readonly<Record<string, Localised>>;
  pages: readonly ConsolePage[];
  actions: readonly ConsoleAction[];
}

export interface SectionDependencies extends ConsoleDependencies {
  /** Returns the position of the last change of an order, from which a page starts to refresh. */
  position: () => Promise<number>;
  /** Returns the links of all sections by path. */
  tabs: () => Readonly<Record<string, Localised>>;
}

/** Renders links to the related pages of all sections, whose paths begin with the same name; none for the overview. */
export function sectionTabs(
  view: View,
  current: string,
  { tabs }: Pick<SectionDependencies, 'tabs'>,
): Markup {
  const beginning = (path: string): string => path.split('/')[1] ?? 'overview';
  const beside = Object.entries(tabs()).filter(([path]) => beginning(path) === beginning(current));
  return tabLinks(view, Object.fromEntries(beside), current);
}

export type CreateSection = (deps: SectionDependencies) => ConsoleSection;

/** Presentation of an alert on the overview. */
export interface AlertLook {
  tone: Tone;
  icon: IconName;
  title: Localised;
  /** Label of the alert's button. */
  verb: Localised;
}

/** Buttons that solve an alert on the overview. */
export type AlertButtons = Partial<Record<AlertKind, Markup>>;

/** Part of the overview that a room adds. */
export interface OverviewPart {
  buttons?: AlertButtons;
  /** Figures of the day. */
  figures?: readonly Markup[];
  /** Content below the alerts. */
  left?: Markup;
  /** Content below the suppliers' balances. */
  right?: Markup;
  /** Returns an explanation of a balance. */
  ofBalance?: (balance: SupplierBalance) => string;
}

/** Step to do before the first order. */
export interface FirstStep {
  title: Localised;
  /** Result of the step so far; null if there is none yet. */
  found: Content | null;
  /** Reason for the step, shown until it is done. */
  why: Localised;
  isOptional?: true;
  /** Command for the step if the console can't do it. */
  command?: string;
  /** Button for the step. */
  to?: Markup | '';
}

export type ReadFirstStep = (view: View, deps: ConsoleDependencies) => Promise<FirstStep>;

export type CreateOverview = (
  deps: ConsoleDependencies,
) => (view: View, query: PageInput['query']) => Promise<OverviewPart>;

/** Creates a room's card on the page of an order, and the action of its buttons; null without a card. */
export type CreateOrderCard = (deps: ConsoleDependencies) => {
  action: ConsoleAction;
  render: (view: View, story: { order: StoredOrder; units: readonly StoredUnit[] }) => Markup | '';
} | null;

/** Creates a column of the list of products, by the shop's product code. */
export type CreateProductColumn = (
  deps: ConsoleDependencies,
) => (view: View) => Promise<Column<{ code: string }>>;
