import { isSubmitted } from '@topup-kit/core/engine';
import type { StoredUnit } from '@topup-kit/core/store';
import { supplyReference } from '@topup-kit/core/supplier';
import { html, type Markup } from '../../../pages/html.ts';
import { actionLink, type ConsoleAction } from '../actions.ts';
import { badge, type Column, type Content, card, copyableCode, dataTable, wordsBadge } from '../parts.ts';
import type { View } from '../view.ts';
import type { OrderStory } from './story.ts';
import { unitWords } from './words.ts';

const texts = {
  units: { id: 'Barang', en: 'Items' },
  item: { id: 'Barang', en: 'Item' },
  attempt: { id: 'Percobaan', en: 'Attempt' },
  supplier: { id: 'Pemasok', en: 'Supplier' },
  supplierId: { id: 'id pemasok', en: 'supplier’s id' },
  proof: { id: 'Bukti atau alasan', en: 'Proof or reason' },
  next: { id: 'Ditanya lagi', en: 'Asked again' },
  waitsForBalance: { id: 'menunggu saldo', en: 'waits for the balance' },
  listed: { id: 'harga daftar', en: 'listed price' },
};

/** Renders the proof of a delivered item, the reason why an item failed, or what an open item waits for. */
function proofOf(view: View, { serialNumber, reason, contradiction, waitsFor }: StoredUnit): Markup {
  return html`${serialNumber === null ? (reason ?? '') : html`<code>${serialNumber}</code>`}
${contradiction === null ? '' : html`<p class="notice bad">${contradiction}</p>`}
${waitsFor === null ? '' : badge(view.words(texts).waitsForBalance, 'busy')}`;
}

/** Tells whether an item is looked up again. An unknown outcome is not, unless its supplier is configured again. */
const isAskedAgain = (unit: StoredUnit): unit is StoredUnit & { nextAt: number } =>
  unit.nextAt !== null && unit.state !== 'unknown';

const mayBeMissing = ({ state, contradiction }: StoredUnit): boolean =>
  state !== 'delivered' || contradiction !== null;

/** Renders the items with their data at suppliers; nothing before a submission. `mark` is offered for possibly missing items. */
export function unitsCard(
  view: View,
  { order: { orderId }, units }: OrderStory,
  mark: ConsoleAction | null,
): Markup | '' {
  if (units.length === 0) return '';
  const words = view.words(texts);
  const reference = (unit: StoredUnit): Content =>
    !isSubmitted(unit)
      ? ''
      : html`${copyableCode(`reference-${unit.unit}`, supplyReference({ orderId, unit: unit.unit, attempt: unit.attempt }), words.copy)}${
          unit.supplierId === null
            ? ''
            : html`<div class="soft">${words.supplierId} ${copyableCode(`supplier-id-${unit.unit}`, unit.supplierId, words.copy)}</div>`
        }`;
  const columns: (Column<StoredUnit> & { isShown?: boolean })[] = [
    { title: words.item, cell: ({ unit }) => unit, isNumber: true },
    {
      title: words.state,
      cell: ({ state, attempt }) =>
        html`${wordsBadge(view, unitWords[state])}${attempt > 1 ? html`<div class="soft">${words.attempt} ${attempt}</div>` : ''}`,
    },
    { title: words.supplier, cell: ({ supplier }) => supplier ?? '' },
    { title: words.reference, cell: reference },
    {
      title: words.cost,
      cell: ({ cost, costSource }) =>
        cost === null
          ? ''
          : html`${view.money(cost)}${costSource === 'listed' ? html`<div class="soft">${words.listed}</div>` : ''}`,
      isNumber: true,
      isShown: units.some(({ cost }) => cost !== null),
    },
    { title: words.proof, cell: (unit) => proofOf(view, unit) },
    {
      title: words.next,
      cell: (unit) => (isAskedAgain(unit) ? view.time(unit.nextAt) : ''),
      isShown: units.some(isAskedAgain),
    },
    {
      title: '',
      cell: (unit) =>
        mark && mayBeMissing(unit)
          ? actionLink(view, mark, { id: orderId }, { fields: { unit: String(unit.unit) } })
          : '',
      isShown: mark !== null && units.some(mayBeMissing),
    },
  ];
  return card(
    words.units,
    dataTable(units, {
      caption: words.units,
      columns: columns.filter(({ isShown = true }) => isShown),
      idOf: ({ unit }) => `unit-${unit}`,
      toneOf: ({ state }) => (unitWords[state].tone === 'bad' ? 'bad' : 'quiet'),
      empty: '',
      stacks: true,
    }),
  );
}
