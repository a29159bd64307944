import {
  eventsOf,
  isSubmitted,
  paymentStateWords,
  reasonWords,
  refundStateWords,
} from '@topup-kit/core/engine';
import type { HistoryEntry, OrderState } from '@topup-kit/core/store';
import { supplyReference } from '@topup-kit/core/supplier';
import { html, type Markup } from '../../../pages/html.ts';
import type { Content, Tone } from '../parts.ts';
import type { View } from '../view.ts';
import type { OrderNote } from './note.ts';
import type { OrderStory } from './story.ts';
import { actorWords, eventTones, eventWords } from './words.ts';

const texts = {
  placed: { id: 'Pesanan dibuat', en: 'Order placed' },
  customer: { id: 'pelanggan', en: 'customer' },
  item: { id: 'barang', en: 'item' },
  items: { id: 'barang', en: 'items' },
  attempt: { id: 'percobaan', en: 'attempt' },
  submitted: { id: 'Diminta ke', en: 'Submitted to' },
  theSupplier: { id: 'pemasok', en: 'the supplier' },
  failedBefore: { id: 'gagal:', en: 'failed:' },
  serialNumber: { id: 'Nomor seri', en: 'Serial number' },
  revoked: { id: 'Sampai saat itu dianggap terkirim:', en: 'Counted as delivered until then:' },
  noSerialNumber: { id: 'tanpa nomor seri', en: 'no serial number' },
  payment: { id: 'Uang untuk dicocokkan', en: 'Payment to reconcile' },
  refund: { id: 'Pengembalian dana', en: 'Refund' },
  contradicted: { id: 'Pemasok membantah hasilnya', en: 'The supplier contradicted the outcome' },
};

interface Happened {
  /** World time in unix milliseconds, which sorts all entries. */
  at: number;
  /** Time to show, if another clock measured it; null if no time is stored. */
  shownAt?: number | null;
  tone: Tone;
  title: Content;
  by: string;
  more?: Content;
}

const stateText = ({ paymentStatus, buyStatus }: OrderState): string => `${paymentStatus} / ${buyStatus}`;

const itemWords = (view: View, units: readonly number[]): string =>
  `${units.length === 1 ? view.words(texts).item : view.words(texts).items} ${units.join(', ')}`;

const line = (name: string, value: Content | undefined): Markup | '' =>
  value === undefined || value === '' ? '' : html`<p>${name} ${value}</p>`;

/** Renders the details of a history entry. */
function entryMore(view: View, orderId: string, entry: HistoryEntry): Markup {
  const words = view.words(texts);
  const { from, to, note, amount, serialNumber, attempts = [], revoked = [] } = entry;
  const proofs = revoked.map(
    ({ unit, serialNumber: proof }) => `${words.item} ${unit} (${proof || words.noSerialNumber})`,
  );
  return html`${stateText(from) === stateText(to) ? '' : html`<p class="soft">${stateText(from)} → ${stateText(to)}</p>`}
${note === undefined ? '' : html`<p class="note">${note}</p>`}
${line(words.amount, amount === undefined ? undefined : view.money(amount))}${line(words.serialNumber, serialNumber)}
${line(words.revoked, proofs.join(', '))}
${attempts.map(
  (failed) =>
    html`<p class="soft">${words.item} ${failed.unit}, ${words.attempt} ${failed.attempt} (<code>${supplyReference({ orderId, unit: failed.unit, attempt: failed.attempt })}</code>) ${words.failedBefore} ${failed.reason ?? ''}</p>`,
)}`;
}

const noteOf = (
  view: View,
  { title, content, at, shownAt = at, tone = 'quiet', by = '' }: OrderNote,
): Happened => ({
  at,
  shownAt,
  tone,
  title: title(view),
  by,
  more: content(view),
});

const isContradiction = ({ event, by }: HistoryEntry): boolean => event === 'noted' && by === 'supplier';

/** Returns the changes of an order with the rooms' entries for their events, and the entries without an event. */
function changesOf(view: View, { order, history, notes }: OrderStory): Happened[] {
  const words = view.words(texts);
  const left = new Set(notes.filter(({ event }) => event !== undefined));
  const notesAt = (at: number, entry: HistoryEntry | null): Markup[] => {
    const types: readonly string[] = eventsOf(entry);
    const own = [...left].filter((note) => types.includes(note.event ?? '') && note.at === at);
    for (const note of own) left.delete(note);
    return own.map((note) => note.content(view));
  };
  const placed: Happened = {
    at: order.createdAt,
    tone: 'quiet',
    title: words.placed,
    by: words.customer,
    more: notesAt(order.createdAt, null),
  };
  const changes = history.map(
    (entry): Happened => ({
      at: entry.at,
      ...(isContradiction(entry)
        ? ({ tone: 'bad', title: words.contradicted } as const)
        : { tone: eventTones[entry.event], title: view.text(eventWords[entry.event]) }),
      by: entry.operator ?? view.text(actorWords[entry.by]),
      more: [entryMore(view, order.orderId, entry), ...notesAt(entry.at, entry)],
    }),
  );
  return [placed, ...changes, ...[...left].map((note) => noteOf(view, note))];
}

/** Returns the submissions to suppliers. The items of one attempt are one entry. */
function purchasesOf(view: View, { units, history }: OrderStory): Happened[] {
  const words = view.words(texts);
  const attempts = [...history.flatMap((entry) => entry.attempts ?? []), ...units.filter(isSubmitted)];
  const asked = attempts.flatMap(({ unit, attempt, askedAt, supplier }) =>
    askedAt === null ? [] : [{ unit, attempt, askedAt, supplier }],
  );
  const groups = Map.groupBy(asked, ({ attempt, supplier }) => `${attempt} ${supplier}`);
  return [...groups.values()].map((group) => ({
    at: Math.min(...group.map(({ askedAt }) => askedAt)),
    tone: 'quiet',
    title: `${words.submitted} ${group[0]?.supplier ?? words.theSupplier}`,
    by: '',
    more: html`<p class="soft">${itemWords(
      view,
      group.map(({ unit }) => unit),
    )}, ${words.attempt} ${group[0]?.attempt}</p>`,
  }));
}

/** Returns the payments that did not fit the order with their results, and the closed refunds. */
function moneyOf(view: View, { reconciliations, refunds }: OrderStory): Happened[] {
  const words = view.words(texts);
  return [
    ...reconciliations.flatMap((payment): Happened[] => {
      const title = `${words.payment}: ${view.money(payment.amount)}`;
      const open = {
        at: payment.noticedAt,
        tone: 'bad',
        title,
        by: view.text(actorWords.gateway),
        more: html`<p class="soft">${view.text(reasonWords[payment.reason])}</p>`,
      } as const;
      if (payment.closedAt === null) return [open];
      const closed = {
        at: payment.closedAt,
        tone: 'good',
        title: `${title} ${view.text(paymentStateWords(payment))}`,
        by: payment.closedBy ?? view.text(actorWords.gateway),
        more: payment.note === null ? '' : html`<p class="note">${payment.note}</p>`,
      } as const;
      return [open, closed];
    }),
    ...refunds.flatMap(({ amount, state, closedAt, closedBy, reference }): Happened[] =>
      closedAt === null
        ? []
        : [
            {
              at: closedAt,
              tone: 'quiet',
              title: `${words.refund} ${view.money(amount)}: ${view.text(refundStateWords[state])}`,
              by: closedBy ?? view.text(actorWords.gateway),
              more: reference === null ? '' : line(words.reference, reference),
            },
          ],
    ),
  ];
}

/** Returns the contradictions that wait for an operator and that the history lacks, as in orders of earlier versions. */
const contradictionsOf = (view: View, { order, units, history }: OrderStory): Happened[] =>
  units
    .filter(
      ({ contradiction, unit }) =>
        contradiction !== null &&
        !history.some(
          (entry) => isContradiction(entry) && entry.note?.startsWith(`${order.orderId}-${unit}-`),
        ),
    )
    .map(({ unit, contradiction }) => ({
      at: view.now,
      shownAt: null,
      tone: 'bad',
      title: view.text(texts.contradicted),
      by: view.text(actorWords.supplier),
      more: line(itemWords(view, [unit]), contradiction ?? ''),
    }));

/** Renders the history of an order, newest first: operators, times, and messages. */
export function timeline(view: View, story: OrderStory): Markup {
  const all = [
    ...changesOf(view, story),
    ...purchasesOf(view, story),
    ...story.notes.filter(({ event }) => event === undefined).map((note) => noteOf(view, note)),
    ...moneyOf(view, story),
    ...contradictionsOf(view, story),
  ];
  // If entries have the same time, earlier entries caused the later entries.
  const sorted = all.toSorted((a, b) => a.at - b.at).toReversed();
  return html`<ol class="timeline" reversed>${sorted.map(
    ({ at, shownAt = at, tone, title, by, more = '' }) =>
      html`<li class="${tone}"><strong>${title}</strong> <span class="soft">${shownAt === null ? '' : view.time(shownAt)}${by === '' ? '' : ` · ${by}`}</span>${more}</li>`,
  )}</ol>`;
}
