import { setOpen } from '@topup-kit/core/engine';
import type { CatalogPaymentMethod } from '@topup-kit/core/store';
import { html } from '../../../pages/html.ts';
import { actionLink, type ConsoleAction } from '../actions.ts';
import { badge, column, dataTable, detailList, numberColumn } from '../parts.ts';
import { type ConsoleSection, type SectionDependencies, sectionTabs } from '../section.ts';
import type { View } from '../view.ts';
import { editing } from './product-actions.ts';

const texts = {
  title: { id: 'Metode pembayaran', en: 'Payment methods' },
  tab: { id: 'Metode', en: 'Methods' },
  open: { id: 'buka', en: 'open' },
  closed: { id: 'ditutup', en: 'closed' },
  unsupported: { id: 'tidak didukung gateway', en: 'not offered by the gateway' },
  fee: { id: 'Biaya', en: 'Fee' },
  limits: { id: 'Batas total', en: 'Limits of the total' },
  none: { id: 'Belum ada metode pembayaran.', en: 'No payment methods yet.' },
};

function feeText(view: View, { fee, fee_basis_points: points, minimum_fee }: CatalogPaymentMethod): string {
  const parts = [
    ...(fee > 0 ? [view.money(fee)] : []),
    ...(points > 0 ? [`${view.number(points / 100)}%`] : []),
  ];
  return (parts.join(' + ') || view.money(0)) + (minimum_fee > 0 ? `, ≥ ${view.money(minimum_fee)}` : '');
}

const path = '/catalog/methods';

/** Creates the pages of payment methods, which can be closed during an outage; see `topup catalog close --method`. */
export function methodPages(deps: SectionDependencies): ConsoleSection {
  const switchTo = (name: 'open' | 'close', title: ConsoleAction['title']): ConsoleAction => {
    const edit = editing(deps, {
      command: ({ params }) => `${name} ${params.code}`,
      planOf: ({ params }) => setOpen({ methods: [params.code ?? ''] }, name === 'open'),
    });
    return {
      path: `${path}/:code/${name}`,
      section: 'catalog',
      title,
      ...edit,
      // Adds the method's name, because an edit identifies a method only by its number.
      async preview(input, view) {
        const catalog = await deps.store.readCatalog();
        const method = catalog?.payment_methods.find(({ code }) => code === input.params.code);
        return html`${detailList([[view.words(texts).method, method?.name ?? null]])}${await edit.preview(input, view)}`;
      },
    };
  };
  const open = switchTo('open', { id: 'Buka metode', en: 'Open the method' });
  const close = switchTo('close', { id: 'Tutup metode', en: 'Close the method' });
  return {
    tabs: { [path]: texts.tab },
    actions: [open, close],
    pages: [
      {
        path,
        async render(view) {
          const words = view.words(texts);
          const { payment_methods: methods = [] } = (await deps.store.readCatalog()) ?? {};
          const { paymentMethodById } = await deps.engine.catalog();
          const stateOf = ({ id, status }: CatalogPaymentMethod) => {
            if (!status) return badge(words.closed, 'quiet');
            return paymentMethodById.get(id)?.status
              ? badge(words.open, 'good')
              : badge(words.unsupported, 'wait');
          };
          return {
            section: 'catalog',
            title: words.title,
            content: html`${sectionTabs(view, path, deps)}<div class="card">${dataTable(methods, {
              caption: words.title,
              columns: [
                column('status', words.state, stateOf),
                column(
                  'what',
                  words.method,
                  ({ name, code }) => html`<b>${name}</b> <code class="soft">${code}</code>`,
                ),
                numberColumn('total', words.fee, (method) => feeText(view, method)),
                column(
                  'mid',
                  words.limits,
                  (method) => `${view.money(method.minimum_amount)} – ${view.money(method.maximum_amount)}`,
                ),
                column('act', '', ({ code, status }) => actionLink(view, status ? close : open, { code })),
              ],
              idOf: ({ code }) => `method-${code}`,
              empty: words.none,
            })}</div>`,
          };
        },
      },
    ],
  };
}
