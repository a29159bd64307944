export { type CatalogChange, diffCatalogs, type FieldChange } from './diff.ts';
export {
  type CatalogPlan,
  type CatalogState,
  changedValues,
  editCatalog,
  type PlannedEdit,
  previewEdit,
} from './edit.ts';
export { CatalogChangedError, EditError, editedFields } from './edit-errors.ts';
export { type ListedProduct, listProducts } from './list-products.ts';
export { isForcible, type KeptOut, type KeptOutReason, keptOutWords } from './margins.ts';
export { type Closable, setLocked, setMargin, setOpen, setPrice, undoEdit } from './operator-edits.ts';
export { type ProductProposal, proposeProducts } from './propose.ts';
export { keepSupplierLists, type ListNow, refreshSupplierList } from './supplier-products.ts';
export { planCatalogSync, planSync, type SyncPlan } from './sync.ts';
