import { readAmount } from '@topup-kit/core/contract';
import { type CatalogState, setMargin } from '@topup-kit/core/engine';
import { type Catalog, type Margin, type MarginRule, marginScopes } from '@topup-kit/core/store';
import { html } from '../../../pages/html.ts';
import { type ActionInput, actionLink, type ConsoleAction, type Field, InputError } from '../actions.ts';
import { named } from '../named.ts';
import { column, dataTable, numberColumn } from '../parts.ts';
import { type ConsoleSection, type SectionDependencies, sectionTabs } from '../section.ts';
import type { View } from '../view.ts';
import { editing } from './product-actions.ts';

const texts = {
  title: { id: 'Aturan margin', en: 'Margin rules' },
  tab: { id: 'Margin', en: 'Margins' },
  shop: { id: 'Seluruh toko', en: 'The whole shop' },
  for: { id: 'Untuk', en: 'For' },
  added: { id: 'Ditambah ke modal', en: 'Added to the cost' },
  minimum: { id: 'Margin minimum', en: 'Minimum margin' },
  floor: { id: 'Harga terendah', en: 'Lowest price' },
  rounding: { id: 'Dibulatkan', en: 'Rounded' },
  up: { id: 'ke atas per', en: 'up to' },
  none: {
    id: 'Belum ada aturan margin, jadi harga tidak mengikuti modal. Mulailah dengan aturan untuk seluruh toko.',
    en: 'No margin rules yet, so prices don’t follow costs. Start with a rule for the whole shop.',
  },
  nearest: {
    id: 'Aturan yang paling khusus berlaku: produk, game, kategori, lalu toko. Harga terkunci tidak berubah.',
    en: 'The most specific rule applies: product, then game, then category, then shop. Locked prices stay.',
  },
};

const fields: readonly Field[] = [
  {
    name: 'for',
    label: { id: 'Untuk', en: 'For' },
    hint: {
      id: 'Kosong untuk seluruh toko; atau game, kategori, atau kode produk.',
      en: 'Empty for the whole shop; or a game, a category, or the code of a product.',
    },
  },
  {
    name: 'percent',
    label: { id: 'Persen dari modal', en: 'Percent of the cost' },
    hint: { id: 'misalnya 8 atau 8,25', en: 'such as 8 or 8.25' },
  },
  { name: 'flat', label: { id: 'Ditambah (rupiah)', en: 'Plus (rupiah)' } },
  { name: 'minimum', label: { id: 'Margin minimum (rupiah)', en: 'Minimum margin (rupiah)' } },
  { name: 'floor', label: { id: 'Harga terendah (rupiah)', en: 'Lowest price (rupiah)' } },
  {
    name: 'rounding',
    label: { id: 'Bulatkan ke atas', en: 'Round up' },
    hint: {
      id: 'ke kelipatan, misalnya 100; atau 900 di akhir: end-900',
      en: 'to a multiple, such as 100; or to prices that end in 900: end-900',
    },
  },
];

/** Converts `8.25` or `8,25` to 825 basis points. Parses text, so that nothing is rounded. */
function readPercent(text: string): number {
  const [, whole = '', fraction = ''] = /^(\d{1,4})(?:[.,](\d{1,2}))?$/.exec(text) ?? [];
  if (whole !== '') return Number(whole + fraction.padEnd(2, '0'));
  throw new InputError({
    id: `Persen harus 0 sampai 9999 dengan paling banyak dua desimal, bukan "${text}".`,
    en: `Enter a percentage from 0 to 9999 with at most two decimals, not "${text}".`,
  });
}

/** Reads a field in whole rupiah; 0 if it is empty. */
export function readRupiah(text = ''): number {
  const amount = text === '' ? 0 : readAmount(text);
  if (amount !== null) return amount;
  throw new InputError({
    id: `Jumlah harus rupiah bulat tanpa pemisah, seperti 2000, bukan "${text}".`,
    en: `An amount must be whole rupiah without separators, such as 2000, not "${text}".`,
  });
}

function ruleOf({ percent = '', flat, minimum, floor, rounding = '' }: ActionInput['fields']): MarginRule {
  if (!percent && !flat && !minimum)
    throw new InputError({
      id: 'Isi persen, tambahan, atau margin minimum: apa yang ditambahkan ke modal.',
      en: 'Enter a percentage, an amount or a minimum margin.',
    });
  const step = rounding === '' || rounding === 'end-900' ? 0 : readRupiah(rounding);
  return {
    percent: percent === '' ? 0 : readPercent(percent),
    flat: readRupiah(flat),
    minimum: readRupiah(minimum),
    floor: readRupiah(floor),
    rounding: rounding === 'end-900' ? rounding : step > 0 ? { up: step } : null,
  };
}

function scopeIn(catalog: Catalog, text: string): Pick<Margin, 'scope' | 'key'> {
  if (text === '') return { scope: 'shop', key: '' };
  const { kind, key } = named(catalog, text);
  if (kind !== 'method') return { scope: kind, key };
  throw new InputError({
    id: 'Metode pembayaran tidak punya margin.',
    en: 'A payment method has no margin.',
  });
}

const titleOf = (view: View, { categories, games }: Catalog, { scope, key }: Margin): string => {
  if (scope === 'shop') return view.text(texts.shop);
  if (scope === 'game') return games.find(({ slug }) => slug === key)?.title ?? key;
  return scope === 'category' ? (categories.find(({ id }) => String(id) === key)?.title ?? key) : key;
};

/** Converts a rule to the fields of a form. */
const fieldsOf = (text: string, { percent, flat, minimum, floor, rounding }: MarginRule) => {
  const amount = (value: number): string => (value === 0 ? '' : String(value));
  return {
    for: text,
    percent: amount(percent / 100),
    flat: amount(flat),
    minimum: amount(minimum),
    floor: amount(floor),
    rounding: rounding === null ? '' : rounding === 'end-900' ? rounding : String(rounding.up),
  };
};

const path = '/catalog/margins';

/** Creates the pages of the rules that derive prices from costs; see `topup catalog margin`. */
export function marginPages(deps: SectionDependencies): ConsoleSection {
  const change = (
    verb: 'set' | 'unset',
    title: ConsoleAction['title'],
    own: readonly Field[],
  ): ConsoleAction => ({
    path: `${path}/${verb}`,
    section: 'catalog',
    title,
    ...editing(deps, {
      fields: own,
      command: (input) => `margin ${verb} ${input.fields.for || 'shop'}`,
      planOf(input) {
        const rule = verb === 'set' ? ruleOf(input.fields) : null;
        return (state: CatalogState) =>
          setMargin(scopeIn(state.catalog, input.fields.for ?? ''), rule)(state);
      },
    }),
  });
  const set = change('set', { id: 'Atur margin', en: 'Set a margin' }, fields);
  const unset = change('unset', { id: 'Hapus aturan', en: 'Remove a rule' }, fields.slice(0, 1));
  return {
    tabs: { [path]: texts.tab },
    actions: [set, unset],
    pages: [
      {
        path,
        async render(view) {
          const words = view.words(texts);
          const [margins, catalog] = await Promise.all([deps.store.readMargins(), deps.store.readCatalog()]);
          const sorted = margins.toSorted(
            (a, b) => marginScopes.indexOf(b.scope) - marginScopes.indexOf(a.scope),
          );
          // The key is unique, but a title may not be.
          const nameOf = ({ scope, key }: Margin): string => (scope === 'shop' ? '' : `${scope} ${key}`);
          const orNone = (amount: number): string => (amount === 0 ? '' : view.money(amount));
          return {
            section: 'catalog',
            title: words.title,
            actions: actionLink(view, set, {}, { kind: 'main' }),
            content: html`${sectionTabs(view, path, deps)}<p class="soft">${words.nearest}</p><div class="card">${dataTable(
              sorted,
              {
                caption: words.title,
                columns: [
                  column(
                    'what',
                    words.for,
                    (margin) =>
                      html`<b>${catalog ? titleOf(view, catalog, margin) : margin.key}</b> <code class="soft">${margin.scope === 'shop' ? '' : margin.key}</code>`,
                  ),
                  numberColumn('total', words.added, ({ rule }) =>
                    [...(rule.percent > 0 ? [`${view.number(rule.percent / 100)}%`] : []), orNone(rule.flat)]
                      .filter(Boolean)
                      .join(' + '),
                  ),
                  numberColumn('mid', words.minimum, ({ rule }) => orNone(rule.minimum)),
                  numberColumn('mid', words.floor, ({ rule }) => orNone(rule.floor)),
                  column('who', words.rounding, ({ rule: { rounding } }) =>
                    rounding === null
                      ? ''
                      : rounding === 'end-900'
                        ? '… 900'
                        : `${words.up} ${view.money(rounding.up)}`,
                  ),
                  column('act', '', (margin) => [
                    actionLink(view, set, {}, { fields: fieldsOf(nameOf(margin), margin.rule) }),
                    actionLink(view, unset, {}, { fields: { for: nameOf(margin) } }),
                  ]),
                ],
                idOf: ({ scope, key }) => `margin-${scope}-${key}`,
                empty: words.none,
              },
            )}</div>`,
          };
        },
      },
    ],
  };
}
