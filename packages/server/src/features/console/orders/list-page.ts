import { stuckAfter } from '@topup-kit/core/engine';
import { matchesFilter, type OrderFilter, type StoredOrder } from '@topup-kit/core/store';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { pageLinks, pageOf, pageSize, readSize } from '../paging.ts';
import { dataTable, orderLink, queryText, stateBadge } from '../parts.ts';
import type { ConsolePage, PageInput, SectionDependencies } from '../section.ts';
import { sectionTitles } from '../texts.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { type FilterQuery, filterQuery, orderFilters, problemOf, readFilter } from './filter.ts';
import { filterChips, filterForm } from './filter-form.ts';
import { filterCookie, readSaved, savedHeader, withFilter, withoutFilter } from './saved-filters.ts';

const texts = {
  id: {
    time: 'Waktu',
    order: 'Pesanan',
    customer: 'Pelanggan',
    product: 'Produk',
    account: 'Akun',
    total: 'Total',
    state: 'Status',
    more: 'Tampilkan pesanan baru:',
    none: 'Tidak ada pesanan seperti ini.',
    noneYet: 'Belum ada pesanan.',
    tooShort: 'Pencarian memerlukan sedikitnya 3 karakter.',
    limited: 'Hanya yang pertama yang ditampilkan; persempit dengan saringan.',
  },
  en: {
    time: 'Time',
    order: 'Order',
    customer: 'Customer',
    product: 'Product',
    account: 'Account',
    total: 'Total',
    state: 'State',
    more: 'Show new orders:',
    none: 'There are no such orders.',
    noneYet: 'There are no orders yet.',
    tooShort: 'A search takes at least 3 characters.',
    limited: 'Only the first ones are shown; narrow them down with the filters.',
  },
};

const shortest = 3;

/** Of orders with a problem, so many are looked at: an operator deals with them one by one. */
const mostWithProblem = 200;

/** What a page lists; `isLimited` when there may be more that it does not lead to. */
interface Listed {
  orders: readonly StoredOrder[];
  /** The last order, when there are older ones. */
  next?: string | undefined;
  isLimited?: boolean;
}

async function listProblems(
  { store, now }: ConsoleDependencies,
  problem: NonNullable<ReturnType<typeof problemOf>>,
  filter: OrderFilter,
): Promise<Listed> {
  const ids = await store.findProblemOrders(
    problem === 'stuck' ? { kind: problem, before: now() - stuckAfter } : { kind: problem },
    mostWithProblem,
  );
  const orders = await store.findOrders(ids);
  return {
    orders: orders
      .filter((order) => matchesFilter(order, filter))
      .toSorted((a, b) => b.createdAt - a.createdAt),
    isLimited: ids.length === mostWithProblem,
  };
}

async function listOrders(
  deps: ConsoleDependencies,
  query: FilterQuery,
  afterId: string | undefined,
): Promise<Listed> {
  const { store } = deps;
  const filter = await readFilter(query, deps);
  if (query.q !== undefined) {
    const orders = await store.searchOrders({ ...filter, text: query.q, limit: pageSize });
    return { orders, isLimited: orders.length === pageSize };
  }
  const problem = problemOf(query);
  if (problem) return listProblems(deps, problem, { ...filter, limit: mostWithProblem });
  const after = afterId === undefined ? null : await store.findOrder(afterId);
  const orders = await store.listOrders({ ...filter, ...(after && { after }), limit: readSize });
  const { shown, next } = pageOf(orders, ({ orderId }) => orderId);
  return { orders: shown, next };
}

/** The id of the order that a text names in full, also by its last part. */
async function namedOrder(
  { store }: ConsoleDependencies,
  text: string,
  found: readonly StoredOrder[],
): Promise<string | null> {
  const name = text.toUpperCase();
  const order = (await store.findOrder(name)) ?? (await store.findReservedOrder(name));
  if (order) return order.orderId;
  const [only, ...others] = found;
  return only?.orderId.endsWith(`-${name}`) && others.length === 0 ? only.orderId : null;
}

const ordersTable = (view: View, orders: readonly StoredOrder[], isFiltered: boolean): Markup => {
  const words = view.text(texts);
  return dataTable(orders, {
    caption: view.text(sectionTitles.orders),
    columns: [
      { title: words.time, cell: ({ createdAt }) => view.time(createdAt) },
      { title: words.order, cell: ({ orderId }) => orderLink(view, orderId) },
      {
        title: words.customer,
        cell: ({ contact: { whatsapp, email } }) =>
          html`${whatsapp}${email ? html`<div class="soft">${email}</div>` : ''}`,
      },
      {
        title: words.product,
        cell: ({ product, game, pricing: { quantity } }) =>
          html`${product.title}${quantity > 1 ? ` × ${quantity}` : ''}<div class="soft">${game.title}</div>`,
      },
      { title: words.account, cell: ({ accountId }) => accountId },
      { title: words.total, cell: ({ pricing }) => view.money(pricing.total_price), isNumber: true },
      { title: words.state, cell: stateBadge },
    ],
    idOf: ({ orderId }) => `order-${orderId}`,
    empty: isFiltered ? words.none : words.noneYet,
    stacks: true,
  });
};

const redirect = (view: View, to: string, headers: Record<string, string> = {}): Response =>
  new Response(null, { status: 303, headers: { Location: view.link(to), ...headers } });

/** Keeps or deletes a filter of the visitor, and leads on to it. Null when the address asks for neither. */
function changeSaved(
  view: View,
  { query, cookie }: Pick<PageInput, 'query' | 'cookie'>,
  { filter, url }: { filter: FilterQuery; url: string },
): Response | null {
  const saved = readSaved(cookie(filterCookie));
  const name = query.save?.trim() ?? '';
  if (query.forget === undefined && name === '') return null;
  const changed =
    query.forget === undefined
      ? withFilter(saved, { name, query: filter })
      : withoutFilter(saved, query.forget);
  return redirect(view, `/orders${queryText(filter)}`, { 'Set-Cookie': savedHeader(changed, url) });
}

export const createListPage = (deps: SectionDependencies): ConsolePage => ({
  path: '/orders',
  filters: orderFilters,
  async render(view, { query: given, cookie }) {
    const words = view.text(texts);
    const query = filterQuery(given);
    const change = changeSaved(view, { query: given, cookie }, { filter: query, url: deps.url });
    if (change) return change;
    const isTooShort = query.q !== undefined && query.q.length < shortest;
    const position = await deps.position();
    const listed: Listed = isTooShort ? { orders: [] } : await listOrders(deps, query, given.after);
    const named = query.q === undefined ? null : await namedOrder(deps, query.q, listed.orders);
    if (named !== null) return redirect(view, `/orders/${encodeURIComponent(named)}`);
    const { games } = await deps.engine.catalog();
    const isFiltered = Object.keys(query).length > 0;
    const isNewest = given.after === undefined;
    return {
      section: 'orders',
      title: view.text(sectionTitles.orders),
      search: query.q ?? '',
      content: html`${filterChips(view, query, readSaved(cookie(filterCookie)))}${filterForm(view, query, games)}
${isTooShort ? html`<p class="notice">${words.tooShort}</p>` : ''}
${isFiltered || !isNewest ? '' : html`<p><a id="more" hidden class="button" href="${view.link('/orders')}">${words.more} <span></span></a></p>`}
<div id="orders"${isFiltered && isNewest ? html` data-renew` : ''}>${ordersTable(view, listed.orders, isFiltered)}</div>
${listed.isLimited ? html`<p class="soft">${words.limited}</p>` : ''}
${pageLinks(view, '/orders', { ...query, after: given.after }, listed.next)}`,
      // What is searched is not searched again for each order that is placed.
      live: { orders: isFiltered && isNewest && query.q === undefined ? 'all' : 'shown', position },
    };
  },
});
