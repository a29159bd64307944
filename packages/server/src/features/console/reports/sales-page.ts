import { reportSales, salesDivisions, sumReport } from '@topup-kit/core/features/reports/sales-report';
import { type SalesRow, salesCells, salesRows } from '@topup-kit/core/features/reports/sales-table';
import { byteOrderMark, csvLine } from '@topup-kit/core/platform';
import { html } from '../../../pages/html.ts';
import { dayFields, dayOf, isDay, shiftDay, spanOf } from '../days.ts';
import {
  type Column,
  choiceLink,
  column,
  dataTable,
  filterLinks,
  numberColumn,
  profitText,
  queryText,
} from '../parts.ts';
import { type CreateSection, type PageInput, sectionTabs } from '../section.ts';
import type { View } from '../view.ts';
import { addUpSales } from './add-up.ts';

const texts = {
  title: { id: 'Laporan penjualan', en: 'Sales report' },
  tab: { id: 'Laporan', en: 'Reports' },
  period: { id: 'Periode', en: 'Period' },
  week: { id: '7 hari', en: '7 days' },
  month: { id: 'Bulan ini', en: 'This month' },
  lastMonth: { id: 'Bulan lalu', en: 'Last month' },
  export: { id: 'Unduh CSV', en: 'Download CSV' },
  units: { id: 'Barang', en: 'Units' },
  returned: { id: 'Dikembalikan atau terutang', en: 'Paid back or owed' },
  fees: { id: 'Biaya gateway', en: 'Gateway fees' },
  unsent: { id: 'belum dikirim', en: 'not yet submitted' },
  none: { id: 'Tidak ada penjualan dalam periode ini.', en: 'No sales in this period.' },
  backwards: {
    id: 'Hari terakhir mendahului hari pertama.',
    en: 'The last day is before the first.',
  },
  long: {
    id: 'Pilih periode paling lama lima tahun.',
    en: 'Choose a period of at most five years.',
  },
  unknown: {
    id: 'barang terkirim tanpa modal yang diketahui, sehingga laba sebenarnya lebih kecil.',
    en: 'delivered units without a known cost, so the real profit is lower.',
  },
};

const divisions = {
  day: { id: 'Hari', en: 'Day' },
  game: { id: 'Game', en: 'Game' },
  product: { id: 'Produk', en: 'Product' },
  method: { id: 'Metode', en: 'Method' },
  account: { id: 'Akun', en: 'Account' },
  supplier: { id: 'Pemasok', en: 'Supplier' },
} satisfies Record<(typeof salesDivisions)[number], unknown>;

const path = '/overview/reports';
const csvPath = `${path}/sales.csv`;

/** Reads the period and the grouping of a page or a file; the default is the last seven days by day. */
function readQuery(view: View, { query }: Pick<PageInput, 'query'>) {
  const today = dayOf(view);
  const by = salesDivisions.find((division) => division === query.by) ?? 'day';
  return { from: query.from || shiftDay(today, -6), to: query.to || today, by };
}

function periodsOf(
  view: View,
): (readonly [name: keyof typeof texts | 'today' | 'yesterday', from: string, to: string])[] {
  const today = dayOf(view);
  const first = `${today.slice(0, 8)}01`;
  const lastOfBefore = shiftDay(first, -1);
  return [
    ['today', today, today],
    ['yesterday', shiftDay(today, -1), shiftDay(today, -1)],
    ['week', shiftDay(today, -6), today],
    ['month', first, today],
    ['lastMonth', `${lastOfBefore.slice(0, 8)}01`, lastOfBefore],
  ];
}

/** Maximum length of a period. A longer period is a mistyped year, and would need a statement for each of its weeks. */
const longestMs = 5 * 366 * 24 * 60 * 60_000;

/** Returns a period, or an empty period with its problem if it is invalid. */
function readPeriod(deps: Parameters<typeof spanOf>[0], days: { from: string; to: string }) {
  const { from = 0, before = 0 } = spanOf(deps, days);
  const problem = before <= from ? 'backwards' : before - from > longestMs ? 'long' : null;
  return { span: problem === null ? { from, before } : { from, before: from }, problem } as const;
}

/** A key may be empty or any word, so only the flag identifies the row with the total. */
type Row = SalesRow & { isTotal?: true };

/** Creates the page of a period's sales as a table and as a file; see `topup report sales`. */
export const reportPages: CreateSection = (deps) => {
  const { store, settings } = deps;
  const filters = { from: isDay, to: isDay, by: salesDivisions };
  const summing = { store, timezone: settings.timezone };

  function columnsOf(view: View, by: keyof typeof divisions): Column<Row>[] {
    const words = view.words(texts);
    return [
      column('what', view.text(divisions[by]), ({ key, title, isTotal }) => {
        if (isTotal) return html`<b>${words.total}</b>`;
        if (key === '') return by === 'supplier' ? words.unsent : '–';
        return by === 'day'
          ? html`<b>${view.day(Date.parse(`${key}T12:00Z`))}</b>`
          : html`<b>${title || key}</b>${title === '' ? '' : html` <code class="soft">${key}</code>`}`;
      }),
      numberColumn('who', words.orders, ({ orders }) => view.number(orders)),
      numberColumn('mid', words.units, ({ units }) => view.number(units)),
      numberColumn('total', words.turnover, ({ turnover }) => view.money(turnover)),
      numberColumn('mid', words.returned, ({ returned }) => view.money(returned)),
      numberColumn('mid', words.fees, ({ gatewayFees }) => view.money(gatewayFees)),
      numberColumn('mid', words.cost, ({ cost }) => view.money(cost)),
      numberColumn('when', words.profit, (row) => profitText(view, row)),
    ];
  }

  return {
    tabs: { [path]: texts.tab },
    actions: [],
    pages: [
      {
        path,
        filters,
        async render(view, input) {
          const words = view.words(texts);
          const query = readQuery(view, input);
          const { from, to, by } = query;
          const isPartial = await addUpSales(deps);
          const { span, problem } = readPeriod(deps, query);
          const report = await sumReport(summing, { span, by });
          const { rows, total } = await salesRows(store, report, by);
          const listed: Row[] = rows.length === 0 ? [] : [...rows, { ...total, isTotal: true }];
          const periods = periodsOf(view).map(([name, first, last]) =>
            choiceLink(view, {
              path: path + queryText({ from: first, to: last, by }),
              title: words[name],
              current: first === from && last === to ? 'true' : null,
            }),
          );
          return {
            section: 'home',
            title: words.title,
            actions: html`<a class="button" href="${view.link(csvPath + queryText(query))}">${words.export}</a>`,
            content: html`${sectionTabs(view, path, deps)}
<nav class="chips" aria-label="${words.period}">${periods}</nav>
<form class="filters card" action="${view.link(path)}">${dayFields(view, query)}<input type="hidden" name="by" value="${by}"><div class="field"><button>${words.show}</button></div></form>
${filterLinks(view, path, query, { name: 'by', values: salesDivisions, titleOf: (value) => view.text(divisions[value]), all: null })}
${isPartial ? html`<p class="notice wait">${words.partial}</p>` : ''}
<div class="card">${dataTable(listed, {
              caption: words.title,
              columns: columnsOf(view, by),
              idOf: ({ key, isTotal }) => (isTotal ? 'total' : `row-${key}`),
              empty: words[problem ?? 'none'],
            })}</div>
${total.unknownCosts > 0 ? html`<p class="soft">${view.number(total.unknownCosts)} ${words.unknown}</p>` : ''}`,
          };
        },
      },
      {
        path: csvPath,
        filters,
        async render(view, input) {
          const query = readQuery(view, input);
          const { from, to, by } = query;
          const { span, problem } = readPeriod(deps, query);
          if (problem !== null)
            return new Response(null, {
              status: 303,
              headers: { Location: view.link(path + queryText(query)) },
            });
          const report = await reportSales(summing, { span, by });
          const { rows } = await salesRows(store, report, by);
          // In Indonesia, spreadsheets read a comma as the decimal separator.
          const separator = view.locale === 'id' ? ';' : ',';
          const lines = salesCells(rows, by).map((cells) => csvLine(cells, separator));
          return new Response(byteOrderMark + lines.join(''), {
            headers: {
              'Content-Type': 'text/csv; charset=utf-8',
              'Content-Disposition': `attachment; filename="sales-${from}-${to}-${by}.csv"`,
              'Cache-Control': 'no-store',
              'X-Content-Type-Options': 'nosniff',
            },
          });
        },
      },
    ],
  };
};
