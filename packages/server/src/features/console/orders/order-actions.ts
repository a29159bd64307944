import type { Localised } from '@topup-kit/core/contract';
import {
  comparedWords,
  dryRun,
  type Mark,
  markOrder,
  markWords,
  noteOrder,
  type OperatorDependencies,
  type RefundOrder,
  type RetryOrder,
  refundOrder,
  refundWords,
  retryOrder,
} from '@topup-kit/core/engine';
import type { OrderState } from '@topup-kit/core/store';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { type ActionInput, type ConsoleAction, type Field, InputError } from '../actions.ts';
import { facts } from '../parts.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { stateBadge } from './order-state.ts';

const texts = {
  retries: {
    id: 'Barang yang gagal dibeli lagi dari pemasok, dan yang menunggu dicoba sekarang.',
    en: 'The failed items are bought from the supplier again, and those that wait are tried now.',
  },
  upTo: { id: 'Harga beli paling tinggi per barang', en: 'Highest cost of an item' },
  revoked: {
    id: 'Yang tadinya terkirim akan dianggap TIDAK terkirim, dan dibeli lagi bila dikirim ulang: barang',
    en: 'What was delivered will count as NOT delivered, and a retry buys it again: item',
  },
  byHand: {
    id: 'Tidak ada uang yang dipindahkan: bayar sendiri, lalu tandai di',
    en: 'No money is moved: pay it back yourself, then tick it off in',
  },
  payments: { id: 'Uang yang menunggu', en: 'Money that waits' },
  owed: { id: 'Terutang untuk yang tidak terkirim', en: 'Owed for what was not delivered' },
  amount: { id: 'Dikembalikan', en: 'Refund' },
  toPay: { id: 'Harus dibayar sendiri', en: 'To pay by hand' },
  noted: {
    id: 'Catatan ini masuk riwayat pesanan. Hanya operator yang melihatnya.',
    en: 'This note goes into the history of the order. Only operators see it.',
  },
};

const problems = {
  badUnit: {
    id: 'Nomor barang harus bilangan bulat dari 1.',
    en: 'The number of an item is a whole number from 1.',
  },
  badAmount: {
    id: 'Jumlah ditulis tanpa pemisah, seperti 25000.',
    en: 'An amount is written without separators, such as 25000.',
  },
  amountUnused: {
    id: 'Jumlah sudah diisi, tetapi yang dipilih bukan "jumlah ini". Pilih itu, atau kosongkan jumlahnya.',
    en: 'There is an amount, but "this amount" is not chosen. Choose it, or empty the amount.',
  },
  proofUnused: {
    id: 'Nomor seri hanya untuk yang terkirim. Pilih "terkirim", atau kosongkan nomor seri.',
    en: 'A serial number is for what was delivered. Choose "delivered", or empty the serial number.',
  },
} satisfies Record<string, Localised>;

/** From one state to another, or the state that stays. */
export const stateChange = (view: View, from: OrderState, to: OrderState): Markup =>
  from.paymentStatus === to.paymentStatus && from.buyStatus === to.buyStatus
    ? html`<p>${stateBadge(view, from)}</p>`
    : html`<p>${stateBadge(view, from)} → ${stateBadge(view, to)}</p>`;

/** What the engine needs of the operator who acts. */
export const operatorOf = ({ store, now }: ConsoleDependencies, view: View): OperatorDependencies => ({
  store,
  worldClock: now,
  operator: view.visitor.operator,
});

const orderOf = ({ params }: Pick<ActionInput, 'params'>): string => params.id ?? '';

/** A number that somebody typed, above zero; undefined without one. */
function readNumber(text: string | undefined, problem: Localised): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InputError(problem);
  return Number(text);
}

function readMark({ fields, note }: ActionInput): Mark {
  const outcome = fields.outcome === 'delivered' ? 'delivered' : 'failed';
  const serialNumber = fields.serialNumber || undefined;
  if (outcome === 'failed' && serialNumber !== undefined) throw new InputError(problems.proofUnused);
  return { outcome, note, serialNumber, unit: readNumber(fields.unit, problems.badUnit) };
}

const readRetry = ({ fields, note }: ActionInput): RetryOrder => ({
  note,
  maxLoss: readNumber(fields.maxLoss, problems.badAmount),
});

/** What can be done with one order. All need its version, so that a form that is sent twice does nothing twice. */
export function createOrderActions(deps: ConsoleDependencies) {
  const { store, settings } = deps;

  /** The version of the order by which its operator decides. A store that can't be read must not cost what was typed. */
  async function seenVersion(input: Pick<ActionInput, 'params'>): Promise<Field> {
    const order = await store.findOrder(orderOf(input)).catch(() => null);
    const value = order ? String(order.version) : '';
    return { name: 'version', label: { id: '', en: '' }, isHidden: true, value };
  }

  const operating = (view: View, { fields }: ActionInput): OperatorDependencies => ({
    ...operatorOf(deps, view),
    seenVersion: Number(fields.version),
  });

  /** Leads back to the page that the action came from. */
  const stay = async (work: Promise<unknown>): Promise<string> => {
    await work;
    return '';
  };

  /** What an order is now, and what it becomes. */
  async function becoming(view: View, orderId: string, after: OrderState): Promise<Markup> {
    return stateChange(view, (await store.findOrder(orderId)) ?? after, after);
  }

  const retry: ConsoleAction = {
    path: '/orders/:id/retry',
    section: 'orders',
    title: { id: 'Kirim ulang', en: 'Retry' },
    fields: async (input) => [
      await seenVersion(input),
      {
        name: 'maxLoss',
        label: { id: 'Kerugian yang diterima per barang', en: 'Accepted loss of an item' },
        hint: {
          id: `Sebanyak ini modal boleh melebihi harga jual, dalam satuan terkecil ${settings.currency}. Kosong: tidak boleh.`,
          en: `By how much it may cost more than its price, in the smallest unit of ${settings.currency}. Empty: not at all.`,
        },
      },
    ],
    async preview(input, view) {
      const words = view.words(texts);
      const orderId = orderOf(input);
      const given = readRetry(input);
      const after = await retryOrder(dryRun(operating(view, input)), orderId, given);
      const upTo = after.pricing.unit_price_before_promo + (given.maxLoss ?? 0);
      return html`<p>${words.retries}</p>${await becoming(view, orderId, after)}${facts([[words.upTo, view.money(upTo)]])}`;
    },
    perform: (input, view) => stay(retryOrder(operating(view, input), orderOf(input), readRetry(input))),
  };

  /** The same for an order of which nothing has failed. */
  const tryNow: ConsoleAction = {
    ...retry,
    path: '/orders/:id/try-now',
    title: { id: 'Coba sekarang', en: 'Try now' },
  };

  const mark: ConsoleAction = {
    path: '/orders/:id/mark',
    section: 'orders',
    title: { id: 'Tandai', en: 'Mark' },
    noteLabel: { id: 'Dari mana Anda tahu (masuk riwayat)', en: 'How you know (for the history)' },
    fields: async (input) => [
      await seenVersion(input),
      {
        name: 'outcome',
        label: { id: 'Yang Anda ketahui', en: 'What you found out' },
        choices: [
          { value: 'delivered', label: { id: 'terkirim', en: 'delivered' } },
          { value: 'failed', label: { id: 'tidak terkirim', en: 'not delivered' } },
        ],
      },
      {
        name: 'unit',
        label: { id: 'Nomor barang', en: 'Number of the item' },
        hint: {
          id: 'Kosongkan untuk semua yang terbuka atau dibantah.',
          en: 'Leave it empty for all that are open or contradicted.',
        },
      },
      {
        name: 'serialNumber',
        label: { id: 'Nomor seri (bila terkirim)', en: 'Serial number (if it was delivered)' },
      },
    ],
    async preview(input, view) {
      const words = view.words(texts);
      const [orderId, given] = [orderOf(input), readMark(input)];
      const { order: after, revoked } = await markOrder(dryRun(operating(view, input)), orderId, given);
      return html`<p>${view.text(markWords(orderId, given))}</p>${await becoming(view, orderId, after)}
${revoked.length === 0 ? '' : html`<p class="notice bad">${words.revoked} ${revoked.map(({ unit }) => unit).join(', ')}.</p>`}`;
    },
    perform: (input, view) => stay(markOrder(operating(view, input), orderOf(input), readMark(input))),
  };

  function readRefund({ fields, note }: ActionInput): RefundOrder {
    if (fields.all !== 'amount') {
      if (fields.amount) throw new InputError(problems.amountUnused);
      return { amount: fields.all === 'all' ? 'all' : undefined, note };
    }
    const amount = readNumber(fields.amount, problems.badAmount);
    // Without an amount, what is owed would be refunded.
    if (amount === undefined) throw new InputError(problems.badAmount);
    return { amount, note };
  }

  const refund: ConsoleAction = {
    path: '/orders/:id/refund',
    section: 'orders',
    title: { id: 'Kembalikan dana', en: 'Refund' },
    fields: async (input) => [
      await seenVersion(input),
      {
        name: 'all',
        label: { id: 'Berapa', en: 'How much' },
        choices: [
          { value: 'owed', label: { id: 'yang tidak terkirim', en: 'what was not delivered' } },
          { value: 'all', label: { id: 'semua yang dibayar', en: 'everything that was paid' } },
          { value: 'amount', label: { id: 'jumlah ini:', en: 'this amount:' } },
        ],
      },
      {
        name: 'amount',
        label: { id: 'Jumlah', en: 'Amount' },
        hint: {
          id: `Bilangan bulat dalam satuan terkecil ${settings.currency}.`,
          en: `A whole number in the smallest unit of ${settings.currency}.`,
        },
      },
    ],
    async preview(input, view) {
      const words = view.words(texts);
      const orderId = orderOf(input);
      const planned = await refundOrder(dryRun(operating(view, input)), orderId, readRefund(input));
      const { order, balance, amount, toPay } = planned;
      const compared = comparedWords(planned, view.money);
      return html`<p>${view.text(refundWords(planned, view.money))}</p>${await becoming(view, orderId, order)}
${facts([
  [words.owed, view.money(balance.owed)],
  [words.amount, html`<strong>${view.money(amount)}</strong>`],
  [words.toPay, view.money(toPay)],
])}
${compared === null ? '' : html`<p class="notice bad">${view.text(compared)}</p>`}
<p>${words.byHand} <a href="${view.link('/payments')}">${words.payments}</a>.</p>`;
    },
    perform: (input, view) => stay(refundOrder(operating(view, input), orderOf(input), readRefund(input))),
  };

  const note: ConsoleAction = {
    path: '/orders/:id/note',
    section: 'orders',
    title: { id: 'Catatan', en: 'Add a note' },
    noteLabel: { id: 'Catatan', en: 'Note' },
    fields: async (input) => [await seenVersion(input)],
    preview: async (_input, view) => html`<p>${view.words(texts).noted}</p>`,
    perform: (input, view) => stay(noteOrder(operating(view, input), orderOf(input), input.note)),
  };

  return { retry, tryNow, mark, refund, note };
}

export type OrderActions = ReturnType<typeof createOrderActions>;
