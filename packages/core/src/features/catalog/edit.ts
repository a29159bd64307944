import { readCatalogFile } from '../../engine/catalog/file.ts';
import type { Clock } from '../../platform/index.ts';
import {
  type Catalog,
  type CatalogEdit,
  type EditedValue,
  emptyCatalog,
  type Store,
  type SupplierList,
} from '../../store/index.ts';
import { type CatalogChange, diffCatalogs, differences } from './diff.ts';
import { CatalogChangedError, editErrors } from './edit-errors.ts';
import { type KeptOut, scopeText } from './margins.ts';
import type { CatalogStore, Margin, PlannedCatalog } from './store.ts';

export interface EditDependencies {
  store: Pick<Store, 'revision' | 'readCatalog' | 'readSupplierLists'> &
    Omit<CatalogStore, 'saveSupplierList'>;
  realClock: Clock;
  /** The operator's name; null for the server itself. */
  operator: string | null;
  /** The revision of the store at the operator's preview. The edit is rejected if the catalogue has changed since then. */
  seenRevision?: number;
}

/** Data for planning an edit. The catalogue is empty before the first edit. */
export interface CatalogState {
  catalog: Catalog;
  margins: readonly Margin[];
  /** For each supplier, the list that last set prices, and the last list; newest first. */
  pricedLists: readonly SupplierList[];
  lists: readonly SupplierList[];
}

export interface CatalogPlan {
  catalog: Catalog;
  margins: readonly Margin[];
  /** The list that set the prices, if it is a new list. */
  pricedBy?: SupplierList;
  /** Products that have a rule but keep their price. */
  keptOut?: readonly KeptOut[];
}

const entryKey = ({ kind, key }: CatalogChange, catalogs: readonly Catalog[]): string => {
  const games = catalogs.flatMap(({ games }) => games);
  if (kind === 'game') return games.find(({ id }) => id === key)?.slug ?? String(key);
  if (kind !== 'product') return String(key ?? '');
  return games.flatMap(({ products }) => products).find(({ id }) => id === key)?.code ?? String(key);
};

/** Returns the differences between two catalogues in the form of the history, which has whole values so that they can be restored. */
export function changedValues(before: Catalog | null, after: Catalog): EditedValue[] {
  const whole = (entry: object): Map<string, unknown> => new Map(Object.entries(entry));
  return diffCatalogs(before, after, whole).flatMap((change): EditedValue[] => {
    const { kind, title, fields } = change;
    const key = entryKey(change, [after, before ?? emptyCatalog]);
    if (change.change === 'added') return [{ kind, key, field: '', from: null, to: title }];
    if (change.change === 'removed') return [{ kind, key, field: '', from: title, to: null }];
    return fields.map((field) => ({ kind, key, ...field }));
  });
}

function changedMargins(before: readonly Margin[], after: readonly Margin[]): EditedValue[] {
  const rules = (margins: readonly Margin[]) =>
    new Map(margins.map((margin) => [scopeText(margin), margin.rule] as const));
  return differences(rules(before), rules(after)).map(({ field: key, from, to }) => ({
    kind: 'margin',
    key,
    field: 'rule',
    from,
    to,
  }));
}

async function readState(store: EditDependencies['store']): Promise<CatalogState> {
  const [catalog, margins, pricedLists, lists] = await Promise.all([
    store.readCatalog(),
    store.readMargins(),
    store.readPricedLists(),
    store.readSupplierLists(),
  ]);
  return { catalog: catalog ?? emptyCatalog, margins, pricedLists, lists };
}

/** @throws EditError if the planned catalogue breaks a rule of catalogue files */
function rejectInvalid({ catalog }: CatalogPlan): void {
  const read = readCatalogFile({ format: 'topup-kit/catalog@1', ...catalog });
  const [problem] = 'problems' in read ? read.problems : [];
  if (problem) throw editErrors.invalid(problem.path, problem.rule);
}

/** A planned edit and its changes. */
export interface PlannedEdit<Plan extends CatalogPlan> {
  plan: Plan;
  state: CatalogState;
  values: readonly EditedValue[];
}

function planned<Plan extends CatalogPlan>(
  state: CatalogState,
  planOf: (state: CatalogState) => Plan,
): PlannedEdit<Plan> {
  const plan = planOf(state);
  const values = [
    ...changedMargins(state.margins, plan.margins),
    ...changedValues(state.catalog, plan.catalog),
  ];
  if (values.length > 0) rejectInvalid(plan);
  return { plan, state, values };
}

export const previewEdit = async <Plan extends CatalogPlan>(
  { store }: Pick<EditDependencies, 'store'>,
  planOf: (state: CatalogState) => Plan,
): Promise<PlannedEdit<Plan>> => planned(await readState(store), planOf);

/**
 * Edits the catalogue: stores the catalogue, the margin rules and the history entry together. If another edit was faster, it plans again,
 * unless the operator previewed the edit. If nothing changes, nothing is stored.
 *
 * @throws EditError, CatalogChangedError
 */
export async function editCatalog<Plan extends CatalogPlan>(
  { store, realClock, operator, seenRevision }: EditDependencies,
  command: string,
  planOf: (state: CatalogState) => Plan,
): Promise<PlannedEdit<Plan>> {
  for (;;) {
    const revision = seenRevision ?? (await store.revision());
    const edit = planned(await readState(store), planOf);
    const { plan, state, values } = edit;
    if (values.length === 0 && plan.pricedBy === undefined) return edit;
    const line: CatalogEdit = { at: realClock(), by: operator, command, values };
    const stored: PlannedCatalog = {
      revision,
      catalog: plan.catalog === state.catalog ? null : plan.catalog,
      margins: plan.margins,
      ...(plan.pricedBy && { pricedBy: plan.pricedBy }),
    };
    // Each conflict means that another edit succeeded, so the loop ends.
    const outcome = await store.editCatalog(stored, values.length > 0 ? line : null);
    if ('done' in outcome) return edit;
    if (seenRevision !== undefined) throw new CatalogChangedError('the catalogue has changed');
  }
}
