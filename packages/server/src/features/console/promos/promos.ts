import {
  findPromo,
  listPromos,
  type PromoState,
  previewPromo,
  promoState,
  promoStateWords,
  type UsedPromo,
} from '@topup-kit/core/engine';
import { emptyCatalog, type Promo } from '@topup-kit/core/store';
import { html, type Markup } from '../../../pages/html.ts';
import { actionLink, type ConsoleAction, InputError } from '../actions.ts';
import { badge, column, dataTable, numberColumn, type Tone } from '../parts.ts';
import { type ConsoleSection, type SectionDependencies, sectionTabs } from '../section.ts';
import type { View } from '../view.ts';
import { conditionText, lossesNotice, offText, savePromo } from './promo.ts';
import { promoForm } from './promo-form.ts';

const texts = {
  title: { id: 'Promo', en: 'Promos' },
  off: { id: 'Potongan', en: 'Off' },
  used: { id: 'Dipakai', en: 'Used' },
  span: { id: 'Berlaku', en: 'Valid' },
  none: { id: 'Belum ada promo.', en: 'No promos yet.' },
  becomes: { id: 'Promo ini menjadi', en: 'This promo becomes' },
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

const path = '/catalog/promos';

/** Creates the pages of promos with their uses and with an action that stops them; see `topup promos`. */
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
      return html`<p>${words.becomes}: ${stateBadge(view, used)}</p>${lossesNotice(view, losses)}`;
    },
    async perform({ params }, view) {
      await savePromo(deps, { ...(await find(params.code)), status: name === 'enable' }, view);
      return path;
    },
  });
  const enable = switchTo('enable', { id: 'Aktifkan', en: 'Enable' });
  const disable = switchTo('disable', { id: 'Nonaktifkan', en: 'Disable' });
  const { create, edit } = promoForm(deps, find);

  return {
    tabs: { [path]: { id: 'Promo', en: 'Promos' } },
    actions: [create, edit, enable, disable],
    pages: [
      {
        path,
        async render(view) {
          const words = view.words(texts);
          const [used, catalog] = await Promise.all([listPromos(store), store.readCatalog()]);
          return {
            section: 'catalog',
            title: words.title,
            actions: actionLink(view, create, {}, { kind: 'main' }),
            content: html`${sectionTabs(view, path, deps)}<div class="card">${dataTable(used, {
              caption: words.title,
              columns: [
                column('status', words.state, (promo) => stateBadge(view, promo)),
                numberColumn('total', words.off, ({ promo }) => offText(view, promo)),
                column(
                  'what',
                  words.code,
                  ({ promo }) =>
                    html`<b>${promo.code}</b> <span class="soft">${conditionText(view, promo, catalog ?? emptyCatalog)}</span>`,
                ),
                column('who', words.used, ({ promo: { quota }, uses }) =>
                  quota === null
                    ? view.number(uses)
                    : `${view.number(uses)} ${words.of} ${view.number(quota)}`,
                ),
                column(
                  'wide',
                  words.span,
                  ({ promo: { starts_at: from, ends_at: until } }) =>
                    html`${from === null ? '' : view.time(Date.parse(from))} – ${until === null ? '' : view.time(Date.parse(until))}`,
                ),
                column('act', '', ({ promo: { status, code } }) => [
                  actionLink(view, edit, { code }),
                  actionLink(view, status ? disable : enable, { code }),
                ]),
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
