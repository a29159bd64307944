import { type ListedProduct, listProducts } from '@topup-kit/core/engine';
import type { Store } from '@topup-kit/core/store';
import { html, type Markup } from '../../../pages/html.ts';
import { actionLink, type ConsoleAction, rowActions } from '../actions.ts';
import { productColumns } from '../additions.ts';
import {
  badge,
  type Column,
  column,
  dataTable,
  filterLinks,
  numberColumn,
  queryText,
  state,
} from '../parts.ts';
import {
  anyText,
  type ConsolePage,
  type CreateSection,
  type SectionDependencies,
  sectionTabs,
} from '../section.ts';
import { sectionTitles } from '../texts.ts';
import type { View } from '../view.ts';
import { editPages } from './edits.ts';
import { marginPages } from './margins.ts';
import { methodPages } from './methods.ts';
import { type Listed, type ProductActions, productActions, readListed } from './product-actions.ts';
import { syncAction, syncButtons } from './sync.ts';

const texts = {
  loses: { id: 'Merugi', en: 'Loses money' },
  closed: { id: 'Ditutup', en: 'Closed' },
  locked: { id: 'Terkunci', en: 'Locked' },
  dear: { id: 'Jauh di atas aturan', en: 'Far above its rule' },
  above: { id: 'di atas aturannya', en: 'above its rule' },
  search: { id: 'Kode, nama produk, atau game', en: 'Code, name of a product, or game' },
  find: { id: 'Cari', en: 'Search' },
  everyGame: { id: 'Semua game', en: 'All games' },
  rule: { id: 'Aturan', en: 'Rule' },
  none: { id: 'Tidak ada produk yang cocok.', en: 'No matching products.' },
  open: { id: 'buka', en: 'open' },
  isLocked: { id: 'terkunci', en: 'locked' },
  noCosts: {
    id: 'Modal diketahui setelah server membaca daftar pemasoknya.',
    en: 'Costs appear after a server has read its supplier’s list.',
  },
  next: { id: 'Berikutnya', en: 'Next' },
  shown: { id: 'produk', en: 'products' },
  withGame: { id: 'ditutup bersama gamenya', en: 'closed with its game' },
  closedBy: {
    id: {
      operator: 'ditutup operator',
      unlisted: 'ditutup: tidak ada di daftar',
      unavailable: 'ditutup pemasok',
      cost: 'ditutup: di bawah modal',
    },
    en: {
      operator: 'closed by an operator',
      unlisted: 'closed: not listed',
      unavailable: 'closed by the supplier',
      cost: 'closed: below cost',
    },
  },
};

const pageSize = 50;

/** Creates a function that reads the data of the product list, and reads it again only after a change. */
function createReader(store: Store): () => Promise<Listed | null> {
  let known: { revision: number; listed: Listed } | undefined;
  return async () => {
    const revision = await store.revision();
    if (known?.revision === revision) return known.listed;
    const listed = await readListed(store);
    if (listed) known = { revision, listed };
    return listed;
  };
}

const states = ['loses', 'closed', 'locked', 'dear'] as const;
type State = (typeof states)[number];

const isIn: Record<State, (product: ListedProduct) => boolean> = {
  loses: ({ margin, closedBy }) => (margin ?? 0) < 0 || closedBy === 'cost',
  closed: ({ closedBy }) => closedBy !== null,
  locked: ({ isLocked }) => isLocked,
  dear: ({ percentAboveRule }) => percentAboveRule !== null,
};

type Query = Readonly<Record<string, string>>;

function filters(view: View, query: Query, { catalog }: Listed): Markup {
  const words = view.words(texts);
  const { q, game, state } = query;
  const chips = filterLinks(
    view,
    '/catalog',
    { q, game, state },
    {
      name: 'state',
      values: states,
      titleOf: (value) => words[value],
      all: words.all,
    },
  );
  return html`${chips}
<form class="filters card" action="${view.link('/catalog')}">
<label class="field"><span>${words.search}</span><input name="q" value="${q ?? ''}"></label>
<label class="field"><span>${words.game}</span><select name="game"><option value="">${words.everyGame}</option>${catalog.games.map(
    ({ slug, title }) =>
      html`<option value="${slug}"${slug === game ? html` selected` : ''}>${title}</option>`,
  )}</select></label>
${state === undefined ? '' : html`<input type="hidden" name="state" value="${state}">`}
<div class="field"><button>${words.find}</button></div></form>`;
}

const productState = (view: View, { closedBy, isOff }: ListedProduct): Markup => {
  const words = view.words(texts);
  if (closedBy === null) return state('good', 'check', words.open);
  if (closedBy === 'operator')
    return state('quiet', 'cross', isOff ? words.closedBy.operator : words.withGame);
  return state('bad', closedBy === 'cost' ? 'down' : 'stop', words.closedBy[closedBy]);
};

function marginText(view: View, { price, margin }: ListedProduct): string {
  if (margin === null) return '–';
  return price === 0 ? view.money(margin) : `${view.money(margin)} (${view.percent(margin / price)})`;
}

function matching(products: readonly ListedProduct[], query: Query): ListedProduct[] {
  const wanted = (query.q ?? '').toLowerCase();
  const chosen = states.find((known) => known === query.state);
  return products.filter(
    (product) =>
      (!query.game || product.game === query.game) &&
      (chosen === undefined || isIn[chosen](product)) &&
      [product.code, product.title, product.game].some((text) => text.toLowerCase().includes(wanted)),
  );
}

function productTable(
  view: View,
  products: readonly ListedProduct[],
  actions: ProductActions,
  ofRooms: readonly Column<ListedProduct>[],
): Markup {
  const words = view.words(texts);
  return dataTable(products, {
    caption: view.text(sectionTitles.catalog),
    columns: [
      column('status', words.state, (product) => productState(view, product)),
      numberColumn('total', words.price, ({ price }) => view.money(price)),
      column(
        'what',
        words.product,
        ({ title, code, game, percentAboveRule }) =>
          html`<b>${title}</b> <code>${code}</code> <span class="soft">${game}</span>${percentAboveRule === null ? '' : html` ${badge(`${view.percent(percentAboveRule / 100)} ${words.above}`, 'busy')}`}`,
      ),
      numberColumn('wide', words.cost, ({ cost }) => (cost === null ? '–' : view.money(cost))),
      numberColumn(
        'when',
        words.margin,
        (product) =>
          html`<span class="${isIn.loses(product) ? 'toned bad' : ''}">${marginText(view, product)}</span>`,
      ),
      column('wide', words.rule, ({ isLocked, rule }) =>
        isLocked ? badge(words.isLocked, 'busy') : (rule ?? ''),
      ),
      ...ofRooms.map((column): Column<ListedProduct> => ({ as: 'mid', ...column })),
      column('act', '', ({ code, isLocked, isOff }) =>
        rowActions(
          view,
          code,
          { code },
          [actions.setPrice, isLocked ? actions.unlock : actions.lock, isOff ? actions.open : actions.close],
          { isMenu: true },
        ),
      ),
    ],
    idOf: ({ code }) => `product-${code}`,
    toneOf: (product) => (isIn.loses(product) ? 'bad' : 'quiet'),
    empty: words.none,
  });
}

function productPage(deps: SectionDependencies, actions: ProductActions, sync: ConsoleAction): ConsolePage {
  const read = createReader(deps.store);
  const rooms = Object.values(productColumns).map((create) => create(deps));
  return {
    path: '/catalog',
    filters: { q: anyText, game: anyText, state: states, start: anyText },
    async render(view, { query }) {
      const words = view.words(texts);
      const title = view.text(sectionTitles.catalog);
      const listed = await read();
      if (!listed) return { section: 'catalog', title, content: html`<p class="empty">${words.none}</p>` };
      const ofRooms = await Promise.all(rooms.map((column) => column(view)));
      const products = matching(listProducts(listed, { now: view.now, realNow: deps.realClock() }), query);
      const start = Math.max(0, Number(query.start) || 0);
      const shown = products.slice(start, start + pageSize);
      const game = listed.catalog.games.find(({ slug }) => slug === query.game);
      return {
        section: 'catalog',
        title,
        actions: html`${listed.margins.length > 0 ? syncButtons(view, deps, sync) : ''}${
          game
            ? actionLink(view, game.status ? actions.closeGame : actions.openGame, { slug: game.slug })
            : ''
        }`,
        content: html`${sectionTabs(view, '/catalog', deps)}${filters(view, query, listed)}
${listed.lists.length === 0 ? html`<p class="soft">${words.noCosts}</p>` : ''}
<div class="card">${productTable(view, shown, actions, ofRooms)}
<p class="soft">${view.number(products.length)} ${words.shown}</p>
${start + pageSize < products.length ? html`<p><a class="button" href="${view.link(`/catalog${queryText({ ...query, start: String(start + pageSize) })}`)}">${words.next}</a></p>` : ''}</div>`,
      };
    },
  };
}

/** Creates the pages of products, their prices and their changes. */
export const catalogPages: CreateSection = (deps) => {
  const products = productActions(deps);
  const sync = syncAction(deps);
  const edits = editPages(deps);
  const others = [marginPages(deps), methodPages(deps)];
  return {
    tabs: {
      '/catalog': { id: 'Produk', en: 'Products' },
      ...Object.assign({}, ...others.map(({ tabs }) => tabs)),
      '/catalog/edits': { id: 'Perubahan', en: 'Changes' },
    },
    actions: [...Object.values(products), sync, ...[edits, ...others].flatMap(({ actions }) => actions)],
    pages: [productPage(deps, products, sync), ...[edits, ...others].flatMap(({ pages }) => pages)],
  };
};
