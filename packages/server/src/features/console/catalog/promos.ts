import { findPromoLosses, previewPromo } from '@topup-kit/core/engine';
import type { Promo } from '@topup-kit/core/store';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { actionLink, type ConsoleAction, InputError } from '../actions.ts';
import { badge, dataTable } from '../parts.ts';
import type { ConsoleSection } from '../section.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { catalogTabs } from './tabs.ts';

const texts = {
  id: {
    title: 'Promo',
    code: 'Kode',
    off: 'Potongan',
    most: 'maks.',
    used: 'Dipakai',
    of: 'dari',
    state: 'Keadaan',
    span: 'Berlaku',
    for: 'Untuk',
    from: 'dari',
    perCustomer: 'per pelanggan',
    none: 'Belum ada promo.',
    active: 'aktif',
    disabled: 'nonaktif',
    ended: 'berakhir',
    usedUp: 'habis',
    later: 'belum mulai',
    becomes: 'Promo ini menjadi',
    losses: 'produk akan dijual di bawah modal dengan promo ini; server menolaknya untuk produk itu.',
  },
  en: {
    title: 'Promos',
    code: 'Code',
    off: 'Off',
    most: 'max',
    used: 'Used',
    of: 'of',
    state: 'State',
    span: 'Valid',
    for: 'For',
    from: 'from',
    perCustomer: 'per customer',
    none: 'No promos yet.',
    active: 'active',
    disabled: 'disabled',
    ended: 'ended',
    usedUp: 'used up',
    later: 'not yet',
    becomes: 'This promo becomes',
    losses: 'products would be sold below cost with this promo; the server rejects it for those.',
  },
};

const momentOf = (text: string | null, otherwise: number): number =>
  text === null ? otherwise : Date.parse(text);

function stateBadge(view: View, { status, starts_at, ends_at, quota }: Promo, uses: number): Markup {
  const words = view.text(texts);
  if (!status) return badge(words.disabled, 'quiet');
  if (view.now >= momentOf(ends_at, Number.POSITIVE_INFINITY)) return badge(words.ended, 'quiet');
  if (quota !== null && uses >= quota) return badge(words.usedUp, 'busy');
  if (view.now < momentOf(starts_at, Number.NEGATIVE_INFINITY)) return badge(words.later, 'busy');
  return badge(words.active, 'good');
}

function offText(view: View, { discount }: Promo): string {
  const { max_discount: most } = discount;
  const off =
    discount.type === 'PERCENT' ? `${view.number(discount.basis_points / 100)}%` : view.money(discount.value);
  return most === null ? off : `${off}, ${view.text(texts).most} ${view.money(most)}`;
}

function conditionText(view: View, promo: Promo): string {
  const words = view.text(texts);
  return [
    ...(promo.minimum_purchase > 0 ? [`${words.from} ${view.money(promo.minimum_purchase)}`] : []),
    ...(promo.per_customer === null ? [] : [`${view.number(promo.per_customer)} ${words.perCustomer}`]),
    ...promo.games,
    ...promo.products.map(String),
    ...promo.payment_methods.map(String),
  ].join(', ');
}

/** The promos with their uses, and how to stop one; see `topup promos`. */
export function promoPages({ store, realClock }: ConsoleDependencies): ConsoleSection {
  async function find(code: string | undefined): Promise<Promo> {
    const promo = (await store.readCatalog())?.promos.find((promo) => promo.code === code);
    if (promo) return promo;
    throw new InputError({ id: `Tidak ada promo ${code}.`, en: `There is no promo ${code}.` });
  }

  const switchTo = (name: 'enable' | 'disable', title: ConsoleAction['title']): ConsoleAction => ({
    path: `/catalog/promos/:code/${name}`,
    section: 'catalog',
    title,
    isWithoutNote: true,
    async preview({ params }, view) {
      const words = view.text(texts);
      const promo = { ...(await find(params.code)), status: name === 'enable' };
      const { uses } = await previewPromo(store, promo);
      const losses = promo.status ? await findPromoLosses(store, promo, realClock(), view.now) : [];
      return html`<p>${words.becomes}: ${stateBadge(view, promo, uses)}</p>${losses.length > 0 ? html`<p class="notice">${view.number(losses.length)} ${words.losses}</p>` : ''}`;
    },
    async perform({ params }) {
      const outcome = await store.putPromo({ ...(await find(params.code)), status: name === 'enable' });
      if ('conflict' in outcome)
        throw new InputError({
          id: `${outcome.code} sudah dipakai ${outcome.uses} kali, lebih dari kuotanya.`,
          en: `${outcome.code} was used ${outcome.uses} times, more often than its quota allows.`,
        });
      return '/catalog/promos';
    },
  });
  const enable = switchTo('enable', { id: 'Aktifkan', en: 'Enable' });
  const disable = switchTo('disable', { id: 'Nonaktifkan', en: 'Disable' });

  return {
    actions: [enable, disable],
    pages: [
      {
        path: '/catalog/promos',
        async render(view) {
          const words = view.text(texts);
          const promos = (await store.readCatalog())?.promos ?? [];
          const used = await Promise.all(
            promos.map(async (promo) => ({
              promo,
              uses: (await store.countPromoUses(promo.code, '')).total,
            })),
          );
          return {
            section: 'catalog',
            title: words.title,
            content: html`${catalogTabs(view, '/catalog/promos')}<div class="card">${dataTable(used, {
              caption: words.title,
              stacks: true,
              columns: [
                { title: words.code, cell: ({ promo }) => html`<code>${promo.code}</code>` },
                { title: words.off, cell: ({ promo }) => offText(view, promo) },
                {
                  title: words.used,
                  cell: ({ promo: { quota }, uses }) =>
                    quota === null
                      ? view.number(uses)
                      : `${view.number(uses)} ${words.of} ${view.number(quota)}`,
                  isNumber: true,
                },
                { title: words.state, cell: ({ promo, uses }) => stateBadge(view, promo, uses) },
                {
                  title: words.span,
                  cell: ({ promo: { starts_at: from, ends_at: until } }) =>
                    html`${from === null ? '' : view.time(Date.parse(from))} – ${until === null ? '' : view.time(Date.parse(until))}`,
                },
                { title: words.for, cell: ({ promo }) => conditionText(view, promo) },
                {
                  title: '',
                  cell: ({ promo: { status, code } }) =>
                    actionLink(view, status ? disable : enable, { code }),
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
