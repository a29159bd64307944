import {
  findPromo,
  listPromos,
  overusedWords,
  type PromoState,
  previewPromo,
  promoState,
  promoStateWords,
  type UsedPromo,
} from '@topup-kit/core/engine';
import type { Promo } from '@topup-kit/core/store';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { actionLink, type ConsoleAction, InputError } from '../actions.ts';
import { badge, dataTable, type Tone } from '../parts.ts';
import type { ConsoleSection, SectionDependencies } from '../section.ts';
import { sectionTabs } from '../tabs.ts';
import type { View } from '../view.ts';

const texts = {
  title: { id: 'Promo', en: 'Promos' },
  code: { id: 'Kode', en: 'Code' },
  off: { id: 'Potongan', en: 'Off' },
  most: { id: 'maks.', en: 'max' },
  used: { id: 'Dipakai', en: 'Used' },
  of: { id: 'dari', en: 'of' },
  state: { id: 'Keadaan', en: 'State' },
  span: { id: 'Berlaku', en: 'Valid' },
  from: { id: 'dari', en: 'from' },
  perCustomer: { id: 'per pelanggan', en: 'per customer' },
  none: { id: 'Belum ada promo.', en: 'No promos yet.' },
  becomes: { id: 'Promo ini menjadi', en: 'This promo becomes' },
  losses: {
    id: 'produk akan dijual di bawah modal dengan promo ini; server menolaknya untuk produk itu.',
    en: 'products would be sold below cost with this promo; the server rejects it for those.',
  },
};

const stateTones: Record<PromoState['is'], Tone> = {
  active: 'good',
  disabled: 'quiet',
  ended: 'quiet',
  'used-up': 'busy',
  later: 'busy',
};

function stateBadge(view: View, used: UsedPromo): Markup {
  const { is } = promoState(used, view.now);
  return badge(view.text(promoStateWords[is]), stateTones[is]);
}

function offText(view: View, { discount }: Promo): string {
  const { max_discount: most } = discount;
  const off =
    discount.type === 'PERCENT' ? `${view.number(discount.basis_points / 100)}%` : view.money(discount.value);
  return most === null ? off : `${off}, ${view.words(texts).most} ${view.money(most)}`;
}

function conditionText(view: View, promo: Promo): string {
  const words = view.words(texts);
  return [
    ...(promo.minimum_purchase > 0 ? [`${words.from} ${view.money(promo.minimum_purchase)}`] : []),
    ...(promo.per_customer === null ? [] : [`${view.number(promo.per_customer)} ${words.perCustomer}`]),
    ...promo.games,
    ...promo.products.map(String),
    ...promo.payment_methods.map(String),
  ].join(', ');
}

const path = '/catalog/promos';

/** The promos with their uses, and how to stop one; see `topup promos`. */
export function promoPages(deps: SectionDependencies): ConsoleSection {
  const { store, realClock } = deps;
  async function find(code: string | undefined): Promise<Promo> {
    const promo = findPromo((await store.readCatalog())?.promos ?? [], code ?? '');
    if (promo) return promo;
    throw new InputError({ id: `Tidak ada promo ${code}.`, en: `There is no promo ${code}.` });
  }

  const switchTo = (name: 'enable' | 'disable', title: ConsoleAction['title']): ConsoleAction => ({
    path: `/catalog/promos/:code/${name}`,
    section: 'catalog',
    title,
    isWithoutNote: true,
    async preview({ params }, view) {
      const words = view.words(texts);
      const promo = { ...(await find(params.code)), status: name === 'enable' };
      const { used, losses } = await previewPromo(store, promo, { realNow: realClock(), now: view.now });
      return html`<p>${words.becomes}: ${stateBadge(view, used)}</p>${losses.length > 0 ? html`<p class="notice">${view.number(losses.length)} ${words.losses}</p>` : ''}`;
    },
    async perform({ params }) {
      const outcome = await store.putPromo({ ...(await find(params.code)), status: name === 'enable' });
      if ('conflict' in outcome) throw new InputError(overusedWords(outcome));
      return path;
    },
  });
  const enable = switchTo('enable', { id: 'Aktifkan', en: 'Enable' });
  const disable = switchTo('disable', { id: 'Nonaktifkan', en: 'Disable' });

  return {
    tabs: { [path]: { id: 'Promo', en: 'Promos' } },
    actions: [enable, disable],
    pages: [
      {
        path,
        async render(view) {
          const words = view.words(texts);
          const used = await listPromos(store);
          return {
            section: 'catalog',
            title: words.title,
            content: html`${sectionTabs(view, path, deps)}<div class="card">${dataTable(used, {
              caption: words.title,
              columns: [
                { title: words.state, cell: (promo) => stateBadge(view, promo), as: 'status' },
                { title: words.off, cell: ({ promo }) => offText(view, promo), isNumber: true, as: 'total' },
                {
                  title: words.code,
                  cell: ({ promo }) =>
                    html`<b>${promo.code}</b> <span class="soft">${conditionText(view, promo)}</span>`,
                  as: 'what',
                },
                {
                  title: words.used,
                  cell: ({ promo: { quota }, uses }) =>
                    quota === null
                      ? view.number(uses)
                      : `${view.number(uses)} ${words.of} ${view.number(quota)}`,
                  as: 'who',
                },
                {
                  title: words.span,
                  cell: ({ promo: { starts_at: from, ends_at: until } }) =>
                    html`${from === null ? '' : view.time(Date.parse(from))} – ${until === null ? '' : view.time(Date.parse(until))}`,
                  as: 'wide',
                },
                {
                  title: '',
                  cell: ({ promo: { status, code } }) =>
                    actionLink(view, status ? disable : enable, { code }),
                  as: 'act',
                },
              ],
              idOf: ({ promo }) => `promo-${promo.code}`,
              empty: words.none,
            })}</div>`,
          };
        },
      },
    ],
  };
}
