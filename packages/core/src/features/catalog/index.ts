export { type CatalogChange, diffCatalogs, type FieldChange } from './diff.ts';
export {
  CatalogChangedError,
  type CatalogPlan,
  type CatalogState,
  changedValues,
  EditError,
  type EditProblem,
  editCatalog,
  type PlannedEdit,
  previewEdit,
} from './edit.ts';
export { isForcible, type KeptOut, type KeptOutReason, keptOutWords } from './kept-out.ts';
export { type ListedProduct, listProducts } from './list-products.ts';
export { priceBy, scopeText } from './margins.ts';
export { setLocked, setMargin, setOpen, setPrice, undoEdit } from './operator-edits.ts';
export { type Proposal, proposeProducts } from './propose.ts';
export { keepSupplierLists, type ListNow, readListNow } from './supplier-products.ts';
export { planSync, type SyncPlan, syncWith } from './sync.ts';
