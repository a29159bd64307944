import { findAlerts } from '@topup-kit/core/engine';
import type { SupplierBalance } from '@topup-kit/core/store';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { syncAction, syncButtons } from '../catalog/sync.ts';
import { badge, card, dataTable, facts } from '../parts.ts';
import type { CreateSection } from '../section.ts';
import { sectionTitles } from '../texts.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { alertsCard } from './alerts.ts';
import { createFigures, type DayFigures, type Figures } from './figures.ts';
import { hoursPlot, shareBar } from './plot.ts';

const texts = {
  id: {
    today: 'Hari ini, dibanding kemarin pada jam ini',
    yesterday: 'kemarin pada jam ini',
    placed: 'Pesanan dibuat',
    orders: 'Pesanan dibayar',
    turnover: 'Omzet',
    returned: 'Dikembalikan atau terutang',
    gatewayFees: 'Potongan gateway',
    cost: 'Modal',
    profit: 'Laba',
    unknown: 'Item tanpa modal yang diketahui, sehingga laba sebenarnya lebih kecil:',
    hours: 'Omzet per jam',
    partial: 'Penjualan lama masih dijumlahkan; angka naik sampai selesai.',
    legend: { today: 'hari ini', yesterday: 'kemarin' },
    methods: 'Keberhasilan per metode, 24 jam',
    method: 'Metode',
    paid: 'Dibayar',
    delivered: 'Terkirim',
    failed: 'Gagal',
    noOrders: 'Belum ada pesanan dalam 24 jam terakhir.',
    balance: 'Saldo di pemasok',
    noBalance: 'Belum ada pemasok yang menyebut saldonya.',
    lasts: 'cukup untuk sekitar',
    unused: 'tidak terpakai dalam 24 jam',
    readAt: 'dibaca',
    providers: 'Penyedia',
    gateway: 'Gateway pembayaran',
    supplier: 'Pemasok',
    works: 'normal',
    problem: 'bermasalah',
    server: 'Server dan penyimpanan',
    servers: 'Server yang berjalan',
    stored: 'Pesanan tersimpan',
    store: 'Penyimpanan',
    accepts: 'menerima pesanan',
    fails: 'tidak menerima perubahan',
    days: 'hari',
    hour: 'jam',
  },
  en: {
    today: 'Today, beside yesterday at this hour',
    yesterday: 'yesterday at this hour',
    placed: 'Orders placed',
    orders: 'Orders paid',
    turnover: 'Turnover',
    returned: 'Paid back or owed',
    gatewayFees: 'Kept by the gateway',
    cost: 'Cost',
    profit: 'Profit',
    unknown: 'Items without a known cost, so the real profit is lower:',
    hours: 'Turnover by hour',
    partial: 'Earlier sales are still being added up; the figures grow until that is done.',
    legend: { today: 'today', yesterday: 'yesterday' },
    methods: 'Success by method, 24 hours',
    method: 'Method',
    paid: 'Paid',
    delivered: 'Delivered',
    failed: 'Failed',
    noOrders: 'No orders in the last 24 hours.',
    balance: 'Balance at suppliers',
    noBalance: 'No supplier has said its balance yet.',
    lasts: 'lasts about',
    unused: 'not used in 24 hours',
    readAt: 'read',
    providers: 'Providers',
    gateway: 'Payment gateway',
    supplier: 'Supplier',
    works: 'works',
    problem: 'has a problem',
    server: 'Server and store',
    servers: 'Servers running',
    stored: 'Orders stored',
    store: 'Store',
    accepts: 'accepts orders',
    fails: 'accepts no changes',
    days: 'days',
    hour: 'hours',
  },
};

/** The figures of a day; turnover less the three after it is the profit. */
const figureNames = ['placed', 'orders', 'turnover', 'returned', 'gatewayFees', 'cost', 'profit'] as const;

function dayCard(view: View, { today, yesterday, yesterdayHours, isPartial }: Figures): Markup {
  const words = view.text(texts);
  const figure = (name: (typeof figureNames)[number]): Markup => {
    const shown = (day: DayFigures): string =>
      name === 'placed' || name === 'orders' ? view.number(day[name]) : view.money(day[name]);
    return html`<div><div class="soft">${words[name]}</div><div class="figure">${shown(today)}</div><div class="compared" title="${words.yesterday}">${shown(yesterday)}</div></div>`;
  };
  return card(
    words.today,
    html`${isPartial ? html`<p class="notice">${words.partial}</p>` : ''}
<div class="figures">${figureNames.map(figure)}</div>
${today.unknownCosts > 0 ? html`<p class="soft">${words.unknown} ${view.number(today.unknownCosts)}</p>` : ''}
<h3>${words.hours}</h3>
${hoursPlot({
  today: today.hours,
  yesterday: yesterdayHours,
  label: `${words.hours}: ${view.money(today.turnover)}; ${view.money(yesterday.turnover)} ${words.yesterday}`,
})}
<div class="legend"><span>${words.legend.today}</span><span class="before">${words.legend.yesterday}</span></div>`,
  );
}

async function methodsCard(
  view: View,
  { outcomes }: Figures,
  { engine }: ConsoleDependencies,
): Promise<Markup> {
  const words = view.text(texts);
  const catalog = await engine.catalog();
  const methods = [...new Set(outcomes.map(({ paymentMethodId }) => paymentMethodId))];
  const rows = methods.map((id) => {
    const own = outcomes.filter(({ paymentMethodId }) => paymentMethodId === id);
    const count = (counts: (state: (typeof own)[number]) => boolean): number =>
      own.filter(counts).reduce((sum, { count }) => sum + count, 0);
    const placed = count(() => true);
    const paid = count(({ paymentStatus }) => paymentStatus === 'PAID' || paymentStatus === 'REFUND');
    const delivered = count(
      ({ paymentStatus, buyStatus }) => paymentStatus === 'PAID' && buyStatus === 'Sukses',
    );
    const failed = count(
      ({ paymentStatus, buyStatus }) =>
        paymentStatus === 'REFUND' || (paymentStatus === 'PAID' && buyStatus === 'Gagal'),
    );
    const ended = delivered + failed;
    return { id, placed, paid, delivered, failed, share: ended === 0 ? null : delivered / ended };
  });
  const amount = (part: number, whole: number): Markup | string =>
    whole === 0 ? '–' : html`${view.number(part)} (${view.percent(part / whole)}) ${shareBar(part / whole)}`;
  return card(
    words.methods,
    dataTable(
      rows.toSorted((a, b) => b.placed - a.placed),
      {
        caption: words.methods,
        stacks: true,
        columns: [
          { title: words.method, cell: ({ id }) => catalog.paymentMethodById.get(id)?.name ?? String(id) },
          { title: words.placed, cell: ({ placed }) => view.number(placed), isNumber: true },
          { title: words.paid, cell: ({ paid, placed }) => amount(paid, placed), isNumber: true },
          { title: words.delivered, cell: ({ delivered, paid }) => amount(delivered, paid), isNumber: true },
          { title: words.failed, cell: ({ failed }) => view.number(failed), isNumber: true },
        ],
        idOf: ({ id }) => `method-${id}`,
        toneOf: ({ share }) => (share !== null && share < 0.9 ? 'bad' : 'quiet'),
        empty: words.noOrders,
      },
    ),
  );
}

function balanceCard(view: View, balances: readonly SupplierBalance[], { costs }: Figures): Markup {
  const words = view.text(texts);
  const lasting = ({ supplier, balance }: SupplierBalance): string => {
    const daily = costs.get(supplier) ?? 0;
    if (daily === 0) return words.unused;
    const hours = (balance / daily) * 24;
    return `${words.lasts} ${hours >= 48 ? `${view.number(Math.floor(hours / 24))} ${words.days}` : `${view.number(Math.floor(hours))} ${words.hour}`}`;
  };
  const one = (balance: SupplierBalance): Markup => {
    const isLow = balance.balance < balance.alertBelow;
    return html`<div><div class="soft">${balance.supplier} ${isLow ? badge(view.money(balance.alertBelow), 'bad') : ''}</div><div class="figure">${view.money(balance.balance)}</div><div class="compared">${lasting(balance)}; ${words.readAt} ${view.time(balance.readAt)}</div></div>`;
  };
  return card(
    words.balance,
    balances.length === 0
      ? html`<p class="empty">${words.noBalance}</p>`
      : html`<div class="figures">${balances.map(one)}</div>`,
  );
}

async function healthCards(view: View, deps: ConsoleDependencies): Promise<Markup> {
  const { store, providers, failure, countServers } = deps;
  const words = view.text(texts);
  const [problems, states] = await Promise.all([store.readProviderProblems(), store.countOrders()]);
  const health = (name: string): Markup => {
    const problem = problems.find(({ provider }) => provider === name);
    return html`${name} ${problem ? html`${badge(words.problem, 'bad')} <span class="soft">${problem.problem}</span>` : badge(words.works, 'good')}`;
  };
  const stored = states.reduce((sum, { count }) => sum + count, 0);
  return html`${card(
    words.providers,
    facts([
      [words.gateway, health(providers.gateway)],
      ...providers.suppliers.map((name) => [words.supplier, health(name)] as const),
    ]),
  )}${card(
    words.server,
    facts([
      [words.servers, view.number(countServers())],
      [words.stored, view.number(stored)],
      [words.store, failure() ? badge(words.fails, 'bad') : badge(words.accepts, 'good')],
    ]),
  )}`;
}

/** What waits for an operator, and how the day goes. */
export const homePages: CreateSection = (deps) => {
  const { store, realClock, position } = deps;
  const readFigures = createFigures(deps);
  const sync = syncAction(deps);
  return {
    actions: [],
    pages: [
      {
        path: '',
        async render(view) {
          const { now } = view;
          const start = view.dayStart(now);
          const place = await position();
          const [alerts, figures, balances, toPay] = await Promise.all([
            findAlerts(store, { now, realNow: realClock() }),
            readFigures({ start, startBefore: view.dayStart(start - 1), now }),
            store.readSupplierBalances(),
            store.listRefunds('to-pay'),
          ]);
          return {
            section: 'home',
            title: view.text(sectionTitles.home),
            content: html`<div class="columns"><div id="left" data-renew>${alertsCard(view, alerts, { buttons: { 'products-below-cost': await syncButtons(view, deps, sync) }, toPay })}${dayCard(view, figures)}</div>
<div id="right" data-renew>${balanceCard(view, balances, figures)}${await methodsCard(view, figures, deps)}${await healthCards(view, deps)}</div></div>`,
            live: { orders: 'all', position: place },
          };
        },
      },
    ],
  };
};
