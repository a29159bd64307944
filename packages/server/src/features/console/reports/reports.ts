import type { Localised } from '@topup-kit/core/contract';
import { lastingTime } from '@topup-kit/core/features/reports/sales-report';
import type { SupplierBalance } from '@topup-kit/core/store';
import { html, type Markup } from '../../../pages/html.ts';
import { icon } from '../icons.ts';
import { card, choiceLink, dataTable, details, figure, profitText } from '../parts.ts';
import type { CreateOverview, CreateProductColumn } from '../section.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { addUpSales } from './add-up.ts';
import { createFigures, type Day, type Figures } from './figures.ts';
import { type Bar, barChart } from './plot.ts';

const texts = {
  sold: { id: 'Terjual hari ini', en: 'Sold today' },
  orders: { id: 'Pesanan dibayar', en: 'Orders paid' },
  placedToday: { id: 'dibuat', en: 'placed' },
  returned: { id: 'dikembalikan atau terutang', en: 'paid back or owed' },
  unknownCosts: { id: 'modal tidak diketahui', en: 'costs unknown' },
  gatewayFees: { id: 'gateway', en: 'gateway' },
  cost: { id: 'modal', en: 'cost' },
  yesterday: { id: 'kemarin', en: 'yesterday' },
  same: { id: 'sama dengan', en: 'the same as' },
  more: { id: 'lebih', en: 'more' },
  less: { id: 'kurang', en: 'less' },
  fewer: { id: 'kurang', en: 'fewer' },
  than: { id: 'dari', en: 'than' },
  unknown: {
    id: 'Barang tanpa modal yang diketahui, sehingga laba sebenarnya lebih kecil:',
    en: 'Items without a known cost, so the real profit is lower:',
  },
  hours: { id: 'Omzet per jam', en: 'Turnover by hour' },
  days: { id: 'Omzet per hari', en: 'Turnover by day' },
  today: { id: 'hari ini', en: 'today' },
  now: { id: 'periode ini', en: 'this time' },
  before: { id: 'sebelumnya', en: 'the time before' },
  asTable: { id: 'Sebagai tabel', en: 'As a table' },
  when: { id: 'Waktu', en: 'Time' },
  methods: { id: 'Dibayar dan terkirim', en: 'Paid and delivered' },
  placed: { id: 'Pesanan', en: 'Orders' },
  noOrders: { id: 'Belum ada pesanan dalam 24 jam terakhir.', en: 'No orders in the last 24 hours.' },
  lasts: { id: 'cukup sekitar', en: 'lasts about' },
  unused: { id: 'tidak terpakai dalam 3 hari', en: 'not used in 3 days' },
};

/** Periods of the chart in days; without a number, the chart shows today's hours. */
const periods: readonly (readonly [days: string, name: Localised])[] = [
  ['', { id: '24 jam', en: '24 h' }],
  ['7', { id: '7 hari', en: '7 d' }],
  ['30', { id: '30 hari', en: '30 d' }],
];

/** Compares a figure with yesterday's at the same hour, in words. A higher figure is better. */
function delta(
  view: View,
  [now, before]: readonly [now: number, before: number],
  { shown, fewer }: { shown: (value: number) => string; fewer?: true },
): { tone: 'good' | 'bad' | 'quiet'; text: Markup } {
  const words = view.words(texts);
  const yesterday = `${shown(before)} ${words.yesterday}`;
  if (now === before) return { tone: 'quiet', text: html`${words.same} ${yesterday}` };
  const difference = Math.abs(now - before);
  // A percentage of a small base or a small difference is misleading.
  const isShare = !fewer && before > 0 && difference < 10 * before && difference >= before / 200;
  const direction = now > before ? words.more : fewer ? words.fewer : words.less;
  return {
    tone: now > before ? 'good' : 'bad',
    text: html`<b>${icon(now > before ? 'up' : 'down')} ${isShare ? view.percent(Math.round((difference / before) * 100) / 100) : shown(difference)} ${direction}</b> ${words.than} ${yesterday}`,
  };
}

function dayFigures(view: View, { today, yesterday }: Figures): Markup[] {
  const words = view.words(texts);
  const money = { shown: view.money };
  return [
    figure(
      words.turnover,
      view.money(today.turnover),
      delta(view, [today.turnover, yesterday.turnover], money),
    ),
    figure(
      `${words.profit}${today.unknownCosts > 0 ? `, ${view.number(today.unknownCosts)} × ${words.unknownCosts}` : ''}`,
      profitText(view, today),
      delta(view, [today.profit, yesterday.profit], money),
    ),
    figure(
      html`<a href="${view.link('/orders')}">${words.orders}</a>`,
      html`${view.number(today.orders)} <small>${view.number(today.placed)} ${words.placedToday}</small>`,
      delta(view, [today.orders, yesterday.orders], { shown: view.number, fewer: true }),
    ),
  ];
}

/** Returns the starts of the days of a period and of the period before it, and the current time. */
function edgesOf(view: View, days: number): number[] {
  const edges = [view.now + 1];
  for (let start = view.dayStart(view.now); edges.length <= 2 * days; start = view.dayStart(start - 1))
    edges.unshift(start);
  return edges;
}

function barsOf(view: View, { bars, barsBefore }: Figures, { edges }: Day): Bar[] {
  const hours = Math.max(24, barsBefore.length);
  const length = edges === null ? hours : bars.length;
  return Array.from({ length }, (_, index) => {
    const label = edges === null ? String(index).padStart(2, '0') : view.day(edges[bars.length + index] ?? 0);
    const [amount = null, before = 0] = [bars[index], barsBefore[index]];
    const now = amount === null ? '' : `${view.money(amount)}; `;
    return {
      label,
      amount,
      before,
      title: `${label}: ${now}${view.text(edges === null ? texts.yesterday : texts.before)} ${view.money(before)}`,
    };
  });
}

function chartCard(view: View, figures: Figures, day: Day, days: string): Markup {
  const words = view.words(texts);
  const { today, isPartial } = figures;
  const bars = barsOf(view, figures, day);
  const [title, now, before] =
    day.edges === null ? [words.hours, words.today, words.yesterday] : [words.days, words.now, words.before];
  const sum = (amounts: readonly number[]): string =>
    view.money(amounts.reduce((all, amount) => all + amount, 0));
  const chips = periods.map(([period, name]) =>
    choiceLink(view, {
      path: period && `?days=${period}`,
      title: view.text(name),
      current: period === days ? 'true' : null,
    }),
  );
  const lines = [
    ['', words.turnover, today.turnover],
    ['− ', words.returned, today.returned],
    ['− ', words.gatewayFees, today.gatewayFees],
    ['− ', words.cost, today.cost],
    [today.unknownCosts > 0 ? '≤ ' : '= ', words.profit, today.profit],
  ] as const;
  return html`<section class="card" id="chart"><div class="head"><h2>${title}</h2><span class="legend"><span>${now}</span><span class="dash">${before}</span></span><nav class="chips" aria-label="${title}">${chips}</nav></div>
${isPartial ? html`<p class="notice wait">${words.partial}</p>` : ''}
${barChart(bars, {
  short: view.compact,
  text: `${title}: ${now} ${sum(figures.bars)}; ${before} ${sum(figures.barsBefore)}`,
  every: bars.length > 24 ? 5 : bars.length < 24 ? 1 : 3,
})}
<p class="sum">${lines.map(([sign, name, amount]) => html`<span>${sign}${name} <b>${view.money(amount)}</b></span>`)}</p>
${today.unknownCosts > 0 ? html`<p class="soft">${words.unknown} ${view.number(today.unknownCosts)}</p>` : ''}
${details(
  'chart-table',
  words.asTable,
  dataTable(bars, {
    caption: title,
    columns: [
      { title: words.when, cell: ({ label }) => label },
      { title: now, cell: ({ amount }) => (amount === null ? '–' : view.money(amount)), isNumber: true },
      { title: before, cell: (bar) => view.money(bar.before), isNumber: true },
    ],
    idOf: ({ label }) => `bar-${label}`,
    empty: '',
  }),
)}</section>`;
}

async function methodsCard(
  view: View,
  { outcomes }: Figures,
  { engine }: ConsoleDependencies,
): Promise<Markup> {
  const words = view.words(texts);
  const catalog = await engine.catalog();
  const methods = Map.groupBy(outcomes, ({ paymentMethodId }) => paymentMethodId);
  const rows = [...methods].map(([id, own]) => {
    const count = (counts: (state: (typeof own)[number]) => boolean): number =>
      own.filter(counts).reduce((sum, { count }) => sum + count, 0);
    return {
      id,
      placed: count(() => true),
      paid: count(({ paymentStatus }) => paymentStatus === 'PAID' || paymentStatus === 'REFUND'),
      delivered: count(({ paymentStatus, buyStatus }) => paymentStatus === 'PAID' && buyStatus === 'Sukses'),
    };
  });
  const share = (part: number, whole: number): Markup | string =>
    whole === 0
      ? '–'
      : html`<span title="${view.number(part)} ${words.of} ${view.number(whole)}">${view.percent(part / whole)}</span>`;
  return card(
    words.methods,
    dataTable(
      rows.toSorted((a, b) => b.placed - a.placed),
      {
        caption: words.methods,
        columns: [
          { title: words.method, cell: ({ id }) => catalog.paymentMethodById.get(id)?.name ?? String(id) },
          { title: words.placed, cell: ({ placed }) => view.number(placed), isNumber: true },
          { title: words.paid, cell: ({ paid, placed }) => share(paid, placed), isNumber: true },
          { title: words.delivered, cell: ({ delivered, paid }) => share(delivered, paid), isNumber: true },
        ],
        idOf: ({ id }) => `method-${id}`,
        empty: words.noOrders,
      },
    ),
  );
}

/** Estimates how long a balance lasts, from the purchases of the last days. */
function lastingOf(view: View, { costs }: Figures) {
  const words = view.words(texts);
  return ({ supplier, balance }: SupplierBalance): string => {
    const lasting = lastingTime(balance, costs.get(supplier) ?? 0);
    return lasting === null ? words.unused : `${words.lasts} ${view.duration(lasting)}`;
  };
}

/** Creates the overview's part with today's sales. */
export const reportOverview: CreateOverview = (deps) => {
  const readFigures = createFigures(deps);
  return async (view, { days = '' }) => {
    const start = view.dayStart(view.now);
    const edges = days === '' ? null : edgesOf(view, Number(days));
    const day: Day = { start, startBefore: view.dayStart(start - 1), now: view.now, edges };
    const figures = await readFigures(day);
    return {
      figures: dayFigures(view, figures),
      left: chartCard(view, figures, day, days),
      right: await methodsCard(view, figures, deps),
      ofBalance: lastingOf(view, figures),
    };
  };
};

/** Creates a column with the number of items sold today, per product. */
export const soldToday: CreateProductColumn = (deps) => async (view) => {
  await addUpSales(deps);
  const today = { from: view.dayStart(view.now), before: view.now + 1 };
  const sums = await deps.store.sumSales(today, 'product');
  const sold = new Map(sums.map(({ key, units }) => [key, units]));
  return {
    title: view.text(texts.sold),
    cell: ({ code }) => view.number(sold.get(code) ?? 0),
    isNumber: true,
  };
};
