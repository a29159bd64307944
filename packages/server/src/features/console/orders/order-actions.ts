import type { Localised } from '@topup-kit/core/contract';
import {
  AmountError,
  commandRefusal,
  DomainError,
  noteOrder,
  readRefundRecords,
} from '@topup-kit/core/engine';
import { html } from '../../../pages/html.ts';
import { actionLink, type ConsoleAction, InputError } from '../actions.ts';
import { chosenAction } from '../chosen.ts';
import type { Content } from '../parts.ts';
import type { SectionDependencies } from '../section.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { markOf } from './mark-order.ts';
import { type OrderAction, operatorOf, type Subject } from './order-action.ts';
import { brief, orderFacts } from './order-facts.ts';
import { problemOf, stateWords } from './order-state.ts';
import { owedOf, refundOf, refundVerb } from './refund-order.ts';
import { retryOf } from './retry-order.ts';
import { readStory } from './story.ts';

const delivered: Localised = {
  id: 'Pesanan ini terkirim: tandai di halamannya sendiri.',
  en: 'This order was delivered: mark it on its own page.',
};

const note: OrderAction = {
  name: 'note',
  title: { id: 'Catatan', en: 'Add a note' },
  noteLabel: { id: 'Catatan', en: 'Note' },
  says: {
    id: 'Catatan ini masuk riwayat pesanan. Hanya operator yang melihatnya.',
    en: 'This note goes into the history of the order. Only operators see it.',
  },
  perform: (operator, id, input) => noteOrder(operator, id, input.note),
};

/** Returns the current state of an order with its reason. */
export async function orderNow(
  { store }: ConsoleDependencies,
  view: View,
  orderId: string,
): Promise<Content | null> {
  const order = await store.findOrder(orderId);
  if (!order) return null;
  const records = await readRefundRecords(store, order);
  const reason =
    order.paymentStatus === 'PAID' &&
    order.buyStatus === 'Gagal' &&
    records.units.find(({ reason }) => reason !== null)?.reason;
  return html`<span>${stateWords(view, order, problemOf({ order, ...records }, view.now))} ${brief(order)}${reason ? html`<br>${reason}` : ''}</span>`;
}

/** Creates the actions on orders. Each form contains the version that the operator saw, so sending it twice acts once. */
export function createOrderActions(deps: SectionDependencies, paid?: ConsoleAction) {
  const { store } = deps;

  function refusalOf({ does }: OrderAction, subject: Subject): Error | null {
    return does ? commandRefusal(subject, does) : null;
  }

  /** Returns the reason why an action is impossible for several orders together: it is rarely intended, and costs money. */
  function refusalOfMany({ does }: OrderAction, { order, ...records }: Subject): Error | null {
    if (does === 'refund' && owedOf({ order, ...records }) === 0)
      return new AmountError('nothing-owed', 0, 0);
    const isClear = order.buyStatus === 'Sukses' && problemOf({ order, ...records }, 0) !== 'contradicted';
    return does === 'mark' && isClear ? new InputError(delivered) : null;
  }

  /** Creates an action on one order. Its page shows the order's data, so that the operator can decide. */
  function withOne(action: OrderAction, name = action.name, title = action.title): ConsoleAction {
    return {
      path: `/orders/:id/${name}`,
      section: 'orders',
      title,
      ...(action.noteLabel && { noteLabel: action.noteLabel }),
      async fields({ params: { id = '' } }, view) {
        // Keeps the input even if the store can't be read.
        const story = await readStory(store, id).catch(() => null);
        const value = story ? String(story.order.version) : '';
        const version = { name: 'version', label: { id: '', en: '' }, isHidden: true, value };
        return [version, ...((await action.fields?.(view, story ? [story] : [])) ?? [])];
      },
      async about({ params: { id = '' } }, view) {
        const story = await readStory(store, id);
        if (!story) throw new DomainError('INVOICE_NOT_FOUND');
        const refusal = refusalOf(action, story);
        if (refusal) throw refusal;
        const says = action.says && view.text(action.says);
        return {
          content: html`${orderFacts(view, story, await action.details?.(view, story))}${says ? html`<p class="notice wait">${says}</p>` : ''}`,
        };
      },
      async perform(input, view) {
        const operator = { ...operatorOf(deps, view), seenVersion: Number(input.fields.version) };
        await action.perform(operator, input.params.id ?? '', input);
        return '';
      },
      now: ({ id = '' }, view) => orderNow(deps, view, id),
    };
  }

  /** Creates the same action on several orders, with common fields. */
  function withMany(
    action: OrderAction,
    {
      verb,
      amountOf = ({ order }) => order.pricing.total_price,
    }: {
      verb: (of: { count: string; sum: string }) => Localised;
      amountOf?: (subject: Subject) => number;
    },
  ): ConsoleAction {
    return chosenAction<Subject>(
      {
        path: `/orders/${action.name}`,
        section: 'orders',
        title: action.title,
        ...(action.noteLabel && { noteLabel: action.noteLabel }),
        async read(ids) {
          const orders = await store.findOrders(ids);
          return Promise.all(
            orders.map(async (order) => ({ order, ...(await readRefundRecords(store, order)) })),
          );
        },
        idOf: ({ order }) => order.orderId,
        versionOf: ({ order }) => order.version,
        amountOf,
        show: (view, subject) =>
          html`${stateWords(view, subject.order, problemOf(subject, view.now))} ${brief(subject.order)}`,
        refusalOf: (subject) => refusalOf(action, subject) ?? refusalOfMany(action, subject),
        ...(action.fields && { fields: action.fields }),
        says: action.says,
        verb,
        perform: (view, { id, version }, input) =>
          action.perform({ ...operatorOf(deps, view), seenVersion: version }, id, input),
        next: (view, subjects) => nextOf(view, action, subjects),
      },
      deps,
    );
  }

  /** Renders the next actions with the same orders: refunding them, or recording the payment of a refund. */
  function nextOf(view: View, { does }: OrderAction, subjects: readonly Subject[]): Content {
    const toPay = subjects.flatMap(({ refunds }) => refunds.filter(({ state }) => state === 'to-pay'));
    if (does === 'refund' && paid && toPay.length > 0) {
      const fields = { id: toPay.map(({ refundId }) => refundId).join(' '), from: '/payments' };
      return actionLink(view, paid, {}, { kind: 'main', fields });
    }
    const failed = subjects.filter(
      ({ order }) => order.paymentStatus === 'PAID' && order.buyStatus === 'Gagal',
    );
    if (failed.length === 0) return '';
    const id = failed.map(({ order }) => order.orderId).join(' ');
    return [many.refund, many.retry].map((action) =>
      actionLink(view, action, {}, { fields: { id, from: '/orders' } }),
    );
  }

  const [retry, mark, refund] = [retryOf(deps), markOf(deps), refundOf(deps)];
  const { fields: _asked, ...refundOwed } = refund;
  const many = {
    retry: withMany(retry, { verb: ({ count }) => ({ id: `Kirim ulang ${count}`, en: `Retry ${count}` }) }),
    refund: withMany(refundOwed, { amountOf: owedOf, verb: ({ sum }) => refundVerb(sum) }),
    mark: withMany(mark, { verb: () => mark.title }),
    note: withMany(note, { verb: ({ count }) => ({ id: `Catat untuk ${count}`, en: `Note on ${count}` }) }),
  };
  return {
    one: {
      retry: withOne(retry),
      // Allows the same action for an order without a failed unit.
      tryNow: withOne(retry, 'try-now', { id: 'Coba sekarang', en: 'Try now' }),
      mark: withOne(mark),
      refund: withOne(refund),
      note: withOne(note),
    },
    many,
  };
}

export type OrderActions = ReturnType<typeof createOrderActions>;
