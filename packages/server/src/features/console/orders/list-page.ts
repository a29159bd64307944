import { alertDescriptions, reasonWords, stuckAfterMs } from '@topup-kit/core/engine';
import { matchesFilter, type OrderFilter, type Store, type StoredOrder } from '@topup-kit/core/store';
import { html, type Markup } from '../../../pages/html.ts';
import { actionLink, type ConsoleAction, chooseButton, choosing } from '../actions.ts';
import { mostChosen } from '../chosen.ts';
import { readProblems } from '../counts.ts';
import { pageLinks, pageOf, pageSize, readSize } from '../paging.ts';
import { type Content, column, dataTable, numberColumn, queryText, rowMenu } from '../parts.ts';
import type { ConsolePage, PageInput, SectionDependencies } from '../section.ts';
import { sectionTitles } from '../texts.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { type FilterQuery, filterQuery, orderFilters, problemOf, readFilter } from './filter.ts';
import { filterChips, filterForm } from './filter-form.ts';
import type { OrderActions } from './order-actions.ts';
import { type OrderProblems, problemIn, reasonOf, type ShownProblem, stateWords } from './order-state.ts';
import { filterCookie, readSaved, savedHeader, withFilter, withoutFilter } from './saved-filters.ts';

const texts = {
  method: { id: 'Metode', en: 'Paid by' },
  actions: { id: 'Tindakan untuk', en: 'Actions for' },
  others: { id: 'Pesanan pelanggan ini', en: 'Orders of this customer' },
  more: { id: 'Tampilkan pesanan baru:', en: 'Show new orders:' },
  none: { id: 'Tidak ada pesanan yang cocok.', en: 'No matching orders.' },
  noneYet: { id: 'Belum ada pesanan.', en: 'There are no orders yet.' },
  tooShort: {
    id: 'Pencarian memerlukan sedikitnya 3 karakter.',
    en: 'Enter at least 3 characters to search.',
  },
  limited: {
    id: 'Hanya pesanan pertama yang ditampilkan; persempit daftar dengan saringan.',
    en: 'Only the first orders are shown; narrow the list with the filters.',
  },
};

const isTooShort = ({ q }: FilterQuery): boolean => q !== undefined && q.length < 3;

/** Orders of a page; `isLimited` if there may be more orders that no link shows. */
interface Listed {
  orders: readonly StoredOrder[];
  /** Id of the last order, if there are older ones. */
  next?: string | undefined;
  isLimited?: boolean;
}

async function listProblems(
  { store, now }: ConsoleDependencies,
  problem: NonNullable<ReturnType<typeof problemOf>>,
  filter: OrderFilter,
): Promise<Listed> {
  const ids = await store.findProblemOrders(
    problem === 'stuck' ? { kind: problem, before: now() - stuckAfterMs } : { kind: problem },
    mostChosen,
  );
  const orders = await store.findOrders(ids);
  return {
    orders: orders
      .filter((order) => matchesFilter(order, filter))
      .toSorted((a, b) => b.createdAt - a.createdAt),
    isLimited: ids.length === mostChosen,
  };
}

async function listOrders(
  deps: ConsoleDependencies,
  query: FilterQuery,
  afterId: string | undefined,
): Promise<Listed> {
  if (isTooShort(query)) return { orders: [] };
  const { store } = deps;
  const filter = await readFilter(query, deps);
  if (query.q !== undefined) {
    const orders = await store.searchOrders({ ...filter, text: query.q, limit: pageSize });
    return { orders, isLimited: orders.length === pageSize };
  }
  const problem = problemOf(query);
  if (problem) return listProblems(deps, problem, { ...filter, limit: mostChosen });
  const after = afterId === undefined ? null : await store.findOrder(afterId);
  const orders = await store.listOrders({ ...filter, ...(after && { after }), limit: readSize });
  const { shown, next } = pageOf(orders, ({ orderId }) => orderId);
  return { orders: shown, next };
}

/** Returns the id of the order that a string names with the full id or the id's last part. */
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

/** Data for a page's rows, in addition to the orders. */
interface Rows {
  orders: readonly StoredOrder[];
  problems: OrderProblems & Awaited<ReturnType<typeof readProblems>>;
  /** The reasons for failed and stuck orders, and for money that waits, by the order's id. */
  reasons: ReadonlyMap<string, Content>;
  actions: OrderActions;
  /** True if all rows are selected initially, as for an alert about them. */
  isChosen: boolean;
}

const isFailed = ({ paymentStatus, buyStatus }: StoredOrder): boolean =>
  paymentStatus === 'PAID' && buyStatus === 'Gagal';

const needsReason = (order: StoredOrder, problem: ShownProblem | undefined): boolean =>
  isFailed(order) || problem === 'contradicted' || problem === 'stuck' || problem === 'unfunded';

/** Reads the reasons why a page's orders don't proceed. */
async function readReasons(
  view: View,
  store: Store,
  { orders, problems }: Pick<Rows, 'orders' | 'problems'>,
): Promise<Map<string, Content>> {
  const halted = orders.filter((order) => needsReason(order, problemIn(order, problems)));
  const reasons = await Promise.all(
    halted.map(async ({ orderId }) => [orderId, reasonOf(view, await store.findUnits(orderId))] as const),
  );
  const money = [...problems.money].map(
    ([orderId, reason]) => [orderId, view.text(reasonWords[reason])] as const,
  );
  return new Map<string, Content>([...money, ...reasons]);
}

/** Returns the next steps for a list of orders with the same problem, from its alert. */
const adviceOf = (query: FilterQuery) =>
  Object.values(alertDescriptions).find(({ place }) => place?.all === `/orders${queryText(query)}`)?.advice;

/** Returns the actions that an order's state allows, most likely first. The form checks the items. */
function possibleActions(
  order: StoredOrder,
  problem: ShownProblem | undefined,
  { mark, tryNow, retry, refund, note }: OrderActions['one'],
): readonly ConsoleAction[] {
  if (problem === 'contradicted' || problem === 'stuck') return [mark, note];
  if (problem === 'unfunded') return [tryNow, refund, note];
  if (order.paymentStatus !== 'PAID') return [note];
  if (isFailed(order)) return [retry, refund, mark, note];
  return order.buyStatus === 'Sukses' ? [note, mark, refund] : [mark, note];
}

function menuOf(view: View, order: StoredOrder, { problems, actions }: Rows): Markup | '' {
  const { orderId: id, contact } = order;
  const words = view.words(texts);
  const possible = possibleActions(order, problemIn(order, problems), actions.one);
  return rowMenu(id, `${words.actions} ${id.slice(-8)}`, [
    ...possible.map((action) => actionLink(view, action, { id })),
    html`<a href="${view.link(`/orders${queryText({ q: contact.whatsapp })}`)}">${words.others}</a>`,
  ]);
}

/** Renders a game as its initials, in one of four colours. */
const tile = (title: string, gameId: number): Markup =>
  html`<span class="tile tile-${gameId % 4}" aria-hidden="true">${title
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.charAt(0))
    .join('')
    .slice(0, 2)
    .toUpperCase()}</span>`;

function ordersTable(view: View, rows: Rows, isFiltered: boolean): Markup {
  const words = view.words(texts);
  const [today, yesterday] = [view.dayStart(view.now), view.dayStart(view.dayStart(view.now) - 1)];
  return dataTable(rows.orders, {
    caption: view.text(sectionTitles.orders),
    columns: [
      column('status', words.state, (order) => stateWords(view, order, problemIn(order, rows.problems))),
      numberColumn('total', words.total, ({ pricing }) => view.money(pricing.total_price)),
      column(
        'what',
        words.product,
        ({ orderId, product, game, pricing: { quantity } }) =>
          html`${tile(game.title, game.id)}<a class="open step" href="${view.link(`/orders/${orderId}`)}">${product.title}${quantity > 1 ? ` × ${quantity}` : ''}</a><span class="soft">${rows.reasons.has(orderId) ? html`${rows.reasons.get(orderId) ?? ''} · ` : ''}${game.title}</span>`,
      ),
      column(
        'who',
        words.customer,
        ({ contact: { whatsapp, email } }) => html`<span title="${email ?? ''}">${whatsapp}</span>`,
      ),
      column('wide', words.method, ({ paymentMethod }) => paymentMethod.name),
      column(
        'wide',
        words.order,
        ({ orderId }) => html`<code title="${orderId}">${orderId.slice(-8)}</code>`,
      ),
      column('when', words.placed, ({ createdAt }) => view.clock(createdAt)),
      column('act', '', (order) => menuOf(view, order, rows)),
    ],
    idOf: ({ orderId }) => `order-${orderId}`,
    groupOf: ({ createdAt }) =>
      createdAt >= today ? words.today : createdAt >= yesterday ? words.yesterday : view.day(createdAt),
    empty: isFiltered ? words.none : words.noneYet,
    choosing: choosing(view, Object.values(rows.actions.many), ({ orderId }) => orderId, rows.isChosen),
  });
}

const redirect = (view: View, to: string, headers: Record<string, string> = {}): Response =>
  new Response(null, { status: 303, headers: { Location: view.link(to), ...headers } });

/** Saves or deletes a filter of the visitor, and redirects to it; null for any other address. */
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

export const createListPage = (deps: SectionDependencies, actions: OrderActions): ConsolePage => ({
  path: '/orders',
  filters: orderFilters,
  async render(view, { query: given, cookie }) {
    const words = view.words(texts);
    const query = filterQuery(given);
    const change = changeSaved(view, { query: given, cookie }, { filter: query, url: deps.url });
    if (change) return change;
    const position = await deps.position();
    const [listed, { games }, problems, states] = await Promise.all([
      listOrders(deps, query, given.after),
      deps.engine.catalog(),
      readProblems(view),
      deps.store.countOrders(),
    ]);
    const named = query.q === undefined ? null : await namedOrder(deps, query.q, listed.orders);
    if (named !== null) return redirect(view, `/orders/${encodeURIComponent(named)}`);
    const { orders } = listed;
    const reasons = await readReasons(view, deps.store, { orders, problems });
    const isFiltered = Object.keys(query).length > 0;
    const isNewest = given.after === undefined;
    const isChosen = given.choose === 'all';
    const advice = adviceOf(query);
    return {
      section: 'orders',
      title: view.text(sectionTitles.orders),
      search: query.q ?? '',
      actions: html`${chooseButton(view, isChosen)}${filterForm(view, query, games)}`,
      content: html`<div id="filters" data-renew>${filterChips(view, query, { saved: readSaved(cookie(filterCookie)), states, problems })}</div>
${advice && orders.length > 0 ? html`<p class="notice wait">${view.text(advice)}</p>` : ''}
${isTooShort(query) ? html`<p class="notice">${words.tooShort}</p>` : ''}
${isFiltered || !isNewest ? '' : html`<p><a id="more" hidden class="button" href="${view.link('/orders')}">${words.more} <span></span></a></p>`}
<div class="card" id="orders"${isFiltered && isNewest ? html` data-renew` : ''}>${ordersTable(view, { orders, problems, reasons, actions, isChosen }, isFiltered)}</div>
${listed.isLimited ? html`<p class="soft">${words.limited}</p>` : ''}
${pageLinks(view, '/orders', { ...query, after: given.after }, listed.next)}`,
      // A search isn't repeated for each new order.
      live: { orders: isFiltered && isNewest && query.q === undefined ? 'all' : 'shown', position },
    };
  },
});
