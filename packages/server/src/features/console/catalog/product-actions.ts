import { highestAmount, type Localised, readAmount } from '@topup-kit/core/contract';
import {
  type CatalogPlan,
  type CatalogState,
  editCatalog,
  editedFields,
  keptOutWords,
  listProducts,
  previewEdit,
  setLocked,
  setOpen,
  setPrice,
} from '@topup-kit/core/engine';
import type { Catalog, EditedValue, Margin, Store, SupplierList } from '@topup-kit/core/store';
import { html, type Markup } from '../../../pages/html.ts';
import {
  type About,
  type ActionInput,
  type ConsoleAction,
  type Field,
  InputError,
  type OpenedAction,
} from '../actions.ts';
import { limitNotice } from '../paging.ts';
import { dataTable, detailList } from '../parts.ts';
import type { ConsoleDependencies, View } from '../view.ts';

const texts = {
  what: { id: 'Apa', en: 'What' },
  field: { id: 'Nilai', en: 'Value' },
  from: { id: 'Sebelum', en: 'Before' },
  to: { id: 'Sesudah', en: 'After' },
  nothing: { id: 'Tidak ada yang berubah.', en: 'Nothing changes.' },
  changes: { id: 'nilai berubah.', en: 'values change.' },
  keptOut: {
    id: 'Harga tetap, karena baris di daftar pemasok tidak masuk akal',
    en: "These products keep their price, because their row in the supplier's list is implausible",
  },
  price: { id: 'Harga sekarang', en: 'Price now' },
  byRule: { id: 'Harga menurut aturan', en: 'Price by its rule' },
  locks: {
    id: 'Harga barunya dikunci, jadi sinkronisasi tidak mengubahnya.',
    en: 'This locks the price, so that no sync changes it.',
  },
  yes: { id: 'ya', en: 'yes' },
  no: { id: 'tidak', en: 'no' },
};

const valueText = (view: View, { field }: EditedValue, value: unknown): string => {
  if (typeof value === 'number' && field === 'selling_price') return view.money(value);
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return view.words(texts)[value ? 'yes' : 'no'];
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Maximum number of changed values shown per edit. */
const maxShown = 200;

/** Renders a table of the values that an edit changes. */
export function valuesTable(view: View, values: readonly EditedValue[]): Markup {
  const words = view.words(texts);
  const fieldOf = ({ field }: EditedValue): string => {
    const name = editedFields.get(field);
    return name ? view.text(name) : field;
  };
  const table = dataTable([...values.slice(0, maxShown).entries()], {
    caption: words.what,
    columns: [
      { title: words.what, cell: ([, { key }]) => key },
      { title: words.field, cell: ([, value]) => fieldOf(value) },
      { title: words.from, cell: ([, value]) => valueText(view, value, value.from), isNumber: true },
      { title: words.to, cell: ([, value]) => valueText(view, value, value.to), isNumber: true },
    ],
    idOf: ([index]) => `value-${index}`,
    empty: words.nothing,
  });
  return html`${limitNotice(view, values.length, maxShown, 'first')}${table}`;
}

/** An edit of the catalogue: its line in the history, and the new catalogue. */
export interface CatalogEditing {
  fields?: readonly Field[];
  command: (input: ActionInput) => string;
  planOf: (
    input: ActionInput,
  ) => ((state: CatalogState) => CatalogPlan) | Promise<(state: CatalogState) => CatalogPlan>;
}

/** Reads the revision in a form; invalid text becomes a revision that no store has. */
const readRevision = (text = ''): number => (/^\d{1,15}$/.test(text) ? Number(text) : -1);

/** Previews an edit, and then makes exactly that edit or none. The history shows the note in brackets. */
export const editing = (
  { store, realClock }: ConsoleDependencies,
  { fields = [], command, planOf }: CatalogEditing,
): Required<Pick<ConsoleAction, 'fields' | 'preview' | 'perform'>> => ({
  async fields() {
    const value = String(await store.revision());
    return [...fields, { name: 'revision', label: { id: '', en: '' }, isHidden: true, value }];
  },
  async preview(input, view) {
    const { values, plan } = await previewEdit({ store }, await planOf(input));
    const words = view.words(texts);
    const { keptOut = [] } = plan;
    return html`${values.length > 1 ? html`<p>${view.number(values.length)} ${words.changes}</p>` : ''}${
      keptOut.length > 0
        ? html`<p class="notice">${words.keptOut}: ${view.text(keptOutWords(keptOut, view.money))}.</p>`
        : ''
    }${valuesTable(view, values)}`;
  },
  async perform(input, { visitor }) {
    const seenRevision = readRevision(input.fields.revision);
    const deps = { store, realClock, operator: visitor.operator, seenRevision };
    const note = input.note === '' ? '' : ` (${input.note})`;
    await editCatalog(deps, command(input) + note, await planOf(input));
    return '';
  },
});

function readPrice(text = ''): number {
  const price = readAmount(text);
  if (price) return price;
  throw new InputError({
    id: `Harga harus rupiah bulat tanpa pemisah, seperti 25000, paling banyak ${highestAmount}, bukan "${text}".`,
    en: `A price must be whole rupiah without separators, such as 25000, up to ${highestAmount}, not "${text}".`,
  });
}

const priceField: Field = {
  name: 'price',
  label: { id: 'Harga baru (rupiah, tanpa pemisah)', en: 'New price (rupiah, without separators)' },
  required: true,
};

/** The data of the product list. */
export interface Listed {
  catalog: Catalog;
  margins: readonly Margin[];
  lists: readonly SupplierList[];
}

export async function readListed(store: Store): Promise<Listed | null> {
  const [catalog, margins, lists] = await Promise.all([
    store.readCatalog(),
    store.readMargins(),
    store.readSupplierLists(),
  ]);
  return catalog && { catalog, margins, lists };
}

/** Reads the facts that determine a product's price. */
async function moneyOf(
  view: View,
  { store, realClock }: ConsoleDependencies,
  code: string,
): Promise<Markup | ''> {
  const words = view.words(texts);
  const listed = await readListed(store);
  const products = listed ? listProducts(listed, { now: view.now, realNow: realClock() }) : [];
  const product = products.find((listed) => listed.code === code);
  if (!product) return '';
  const money = (amount: number | null): string | null => (amount === null ? null : view.money(amount));
  return html`<p><b>${product.title}</b> <code>${code}</code> <span class="soft">${product.game}</span></p>${detailList(
    [
      [words.price, money(product.price)],
      [words.cost, money(product.cost)],
      [words.margin, money(product.margin)],
      [words.byRule, money(product.rulePrice)],
    ],
  )}`;
}

const codeOf = ({ params }: Pick<ActionInput, 'params'>): string => params.code ?? '';

/** Creates the actions on products and games; see `topup catalog`. */
export function productActions(deps: ConsoleDependencies) {
  const action = (
    name: string,
    title: Localised,
    planOf: CatalogEditing['planOf'],
    fields: readonly Field[] = [],
  ): ConsoleAction => ({
    path: `/catalog/products/:code/${name}`,
    section: 'catalog',
    title,
    ...editing(deps, {
      fields,
      command: (input) => [name, codeOf(input), input.fields.price].filter(Boolean).join(' '),
      planOf,
    }),
  });
  const gameAction = (name: string, title: Localised, status: boolean): ConsoleAction => ({
    path: `/catalog/games/:slug/${name}`,
    section: 'catalog',
    title,
    ...editing(deps, {
      command: ({ params }) => `${name} ${params.slug}`,
      planOf: ({ params }) => setOpen({ games: [params.slug ?? ''], products: [] }, status),
    }),
  });
  const open = (status: boolean) => (input: ActionInput) =>
    setOpen({ games: [], products: [codeOf(input)] }, status);
  const lock = (isLocked: boolean) => (input: ActionInput) => setLocked([codeOf(input)], isLocked);
  const { preview: _typedFirst, ...priced } = action(
    'set-price',
    { id: 'Atur harga', en: 'Set price' },
    (input) => setPrice(codeOf(input), readPrice(input.fields.price)),
    [priceField],
  );
  return {
    setPrice: {
      ...priced,
      about: async (opened: OpenedAction, view: View): Promise<About> => ({
        content: html`${await moneyOf(view, deps, codeOf(opened))}<p class="notice wait">${view.words(texts).locks}</p>`,
      }),
    },
    lock: action('lock', { id: 'Kunci', en: 'Lock' }, lock(true)),
    unlock: action('unlock', { id: 'Buka kunci', en: 'Unlock' }, lock(false)),
    close: action('close', { id: 'Tutup', en: 'Close' }, open(false)),
    open: action('open', { id: 'Buka', en: 'Open' }, open(true)),
    closeGame: gameAction('close', { id: 'Tutup game', en: 'Close the game' }, false),
    openGame: gameAction('open', { id: 'Buka game', en: 'Open the game' }, true),
  };
}
export type ProductActions = ReturnType<typeof productActions>;
