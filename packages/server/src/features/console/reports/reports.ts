import type { SupplierBalance } from '@topup-kit/core/store';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { card, dataTable } from '../parts.ts';
import type { CreateOverview, CreateProductColumn } from '../section.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { addUpSales } from './add-up.ts';
import { createFigures, type DayFigures, type Figures } from './figures.ts';
import { hoursPlot, shareBar } from './plot.ts';

const texts = {
  id: {
    sold: 'Terjual hari ini',
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
    lasts: 'cukup untuk sekitar',
    unused: 'tidak terpakai dalam 24 jam',
    days: 'hari',
    hour: 'jam',
  },
  en: {
    sold: 'Sold today',
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
    lasts: 'lasts about',
    unused: 'not used in 24 hours',
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

/** How long a balance lasts, by what was bought in the last 24 hours. */
function lastingOf(view: View, { costs }: Figures) {
  const words = view.text(texts);
  return ({ supplier, balance }: SupplierBalance): string => {
    const daily = costs.get(supplier) ?? 0;
    if (daily === 0) return words.unused;
    const hours = (balance / daily) * 24;
    return `${words.lasts} ${hours >= 48 ? `${view.number(Math.floor(hours / 24))} ${words.days}` : `${view.number(Math.floor(hours))} ${words.hour}`}`;
  };
}

/** How the day goes. */
export const reportOverview: CreateOverview = (deps) => {
  const readFigures = createFigures(deps);
  return async (view) => {
    const start = view.dayStart(view.now);
    const figures = await readFigures({ start, startBefore: view.dayStart(start - 1), now: view.now });
    return {
      left: dayCard(view, figures),
      right: await methodsCard(view, figures, deps),
      ofBalance: lastingOf(view, figures),
    };
  };
};

/** How many items of a product were sold today. */
export const soldToday: CreateProductColumn = (deps) => async (view) => {
  await addUpSales(deps);
  const today = { from: view.dayStart(view.now), before: view.now + 1 };
  const sums = await deps.store.sumSales(today, 'product');
  const sold = new Map(sums.map(({ key, units }) => [key, units]));
  return {
    title: view.text(texts).sold,
    cell: ({ code }) => view.number(sold.get(code) ?? 0),
    isNumber: true,
  };
};
