import type { Localised } from '@topup-kit/core/contract';
import {
  AmountError,
  commandRefusal,
  DomainError,
  dryRun,
  type Mark,
  markOrder,
  noteOrder,
  type OperatorCommand,
  type OperatorDependencies,
  type RefundBalance,
  type RefundOrder,
  type RetryOrder,
  readRefundRecords,
  refundBalance,
  refundOrder,
  retryOrder,
} from '@topup-kit/core/engine';
import { html } from '../../../pages/html.ts';
import {
  type ActionInput,
  actionLink,
  type Choice,
  type ConsoleAction,
  type Field,
  InputError,
} from '../actions.ts';
import { chosenAction } from '../chosen.ts';
import type { Content } from '../parts.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { brief, orderFacts } from './order-facts.ts';
import { problemOf, stateWords } from './order-state.ts';
import { type OrderStory, readStory } from './story.ts';

/** The data that decide which actions are possible. */
type Subject = Pick<OrderStory, 'order' | 'units' | 'refunds' | 'reconciliations'>;

const texts = {
  upTo: { id: 'Harga beli paling tinggi per barang', en: 'Highest cost of an item' },
  costsNow: { id: 'Harga beli sekarang di', en: 'Cost of an item now at' },
  balance: { id: 'Saldo di', en: 'Balance at' },
  failedFor: { id: 'Alasan pemasok', en: 'The supplier’s reason' },
  byGateway: { id: 'Sudah dikembalikan gateway', en: 'Paid back by the gateway already' },
  byHand: {
    id: 'Uangnya Anda kirim sendiri. Dana ini menunggu di Pembayaran sampai Anda menandainya sudah dibayar.',
    en: 'You send the money yourself. It waits in Payments until you mark it as paid.',
  },
  noted: {
    id: 'Catatan ini masuk riwayat pesanan. Hanya operator yang melihatnya.',
    en: 'This note goes into the history of the order. Only operators see it.',
  },
};

const problems = {
  delivered: {
    id: 'Pesanan ini terkirim: tandai di halamannya sendiri.',
    en: 'This order was delivered: mark it on its own page.',
  },
  badUnit: {
    id: 'Nomor barang harus bilangan bulat dari 1.',
    en: 'The number of an item is a whole number from 1.',
  },
  badAmount: {
    id: 'Jumlah ditulis tanpa pemisah, seperti 25000.',
    en: 'An amount is written without separators, such as 25000.',
  },
  amountUnused: {
    id: 'Jumlah sudah diisi, tetapi yang dipilih bukan "jumlah lain". Pilih itu, atau kosongkan jumlahnya.',
    en: 'There is an amount, but "another amount" is not chosen. Choose it, or empty the amount.',
  },
  proofUnused: {
    id: 'Nomor seri hanya untuk yang terkirim. Pilih "terkirim", atau kosongkan nomor seri.',
    en: 'A serial number is for what was delivered. Choose "delivered", or empty the serial number.',
  },
} satisfies Record<string, Localised>;

/** The engine's data about the acting operator. */
export const operatorOf = ({ store, now }: ConsoleDependencies, view: View): OperatorDependencies => ({
  store,
  worldClock: now,
  operator: view.visitor.operator,
});

/** A typed number above zero; undefined for an empty field. */
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

function readRefund({ fields, note }: ActionInput): RefundOrder {
  if (fields.all !== 'amount') {
    if (fields.amount) throw new InputError(problems.amountUnused);
    return { amount: fields.all === 'all' ? 'all' : undefined, note };
  }
  const amount = readNumber(fields.amount, problems.badAmount);
  // Without an amount, the owed amount would be refunded.
  if (amount === undefined) throw new InputError(problems.badAmount);
  return { amount, note };
}

const paidByGateway = ({ reported }: RefundBalance): number =>
  reported.reduce((sum, { amount }) => sum + amount, 0);

/** The default amount of a refund: the owed amount, and at least the gateway's own refund. */
function owedOf({ order, ...records }: Subject): number {
  const balance = refundBalance(order, records);
  return Math.max(balance.owed, paidByGateway(balance));
}

const refundVerb = (amount: string): Localised => ({ id: `Kembalikan ${amount}`, en: `Refund ${amount}` });

const revokedWords = (units: string): Localised => ({
  id: `Yang tadinya terkirim akan dianggap TIDAK terkirim, dan dibeli lagi bila dikirim ulang: barang ${units}.`,
  en: `What was delivered will count as NOT delivered, and a retry buys it again: item ${units}.`,
});

/** The current state of an order, with its reason. */
export async function orderNow(
  { store }: ConsoleDependencies,
  view: View,
  orderId: string,
): Promise<Content | null> {
  const order = await store.findOrder(orderId);
  if (!order) return null;
  const [units, refunds] = await Promise.all([store.findUnits(orderId), store.findRefunds(orderId)]);
  const reason =
    order.paymentStatus === 'PAID' &&
    order.buyStatus === 'Gagal' &&
    units.find(({ reason }) => reason !== null)?.reason;
  return html`<span>${stateWords(view, order, problemOf({ order, units, refunds }, view.now))} ${brief(order)}${reason ? html`<br>${reason}` : ''}</span>`;
}

/** An action on one order, or on several in the same way. */
interface Doing {
  name: string;
  title: Localised;
  noteLabel?: Localised;
  /** The command whose rules decide whether it is possible; none if it always is. */
  does?: OperatorCommand['does'];
  fields?: (view: View, subjects: readonly Subject[]) => readonly Field[] | Promise<readonly Field[]>;
  facts?: (
    view: View,
    story: OrderStory,
  ) => Promise<(readonly [string, Content | null])[]> | (readonly [string, Content | null])[];
  says?: Localised;
  perform: (operator: OperatorDependencies, orderId: string, input: ActionInput) => Promise<unknown>;
}

/** The actions on orders. Each carries the seen version, so sending a form twice acts once. */
export function createOrderActions(deps: ConsoleDependencies, paid?: ConsoleAction) {
  const { store, settings } = deps;

  function refusalOf({ does }: Doing, subject: Subject): Error | null {
    return does ? commandRefusal(subject, does) : null;
  }

  /** Why an action is impossible for several orders together: it is rarely intended, and costs money. */
  function refusalOfMany({ does }: Doing, { order, ...records }: Subject): Error | null {
    if (does === 'refund' && owedOf({ order, ...records }) === 0)
      return new AmountError('nothing-owed', 0, 0);
    const isClear = order.buyStatus === 'Sukses' && problemOf({ order, ...records }, 0) === undefined;
    return does === 'mark' && isClear ? new InputError(problems.delivered) : null;
  }

  /** An action on one order, with the facts for the decision. */
  function withOne(doing: Doing, name = doing.name, title = doing.title): ConsoleAction {
    return {
      path: `/orders/:id/${name}`,
      section: 'orders',
      title,
      ...(doing.noteLabel && { noteLabel: doing.noteLabel }),
      async fields({ params: { id = '' } }, view) {
        // Keeps the input even if the store can't be read.
        const story = await readStory(store, id).catch(() => null);
        const value = story ? String(story.order.version) : '';
        const version = { name: 'version', label: { id: '', en: '' }, isHidden: true, value };
        return [version, ...((await doing.fields?.(view, story ? [story] : [])) ?? [])];
      },
      async about({ params: { id = '' } }, view) {
        const story = await readStory(store, id);
        if (!story) throw new DomainError('INVOICE_NOT_FOUND');
        const refusal = refusalOf(doing, story);
        if (refusal) throw refusal;
        const says = doing.says && view.text(doing.says);
        return {
          content: html`${orderFacts(view, story, await doing.facts?.(view, story))}${says ? html`<p class="notice wait">${says}</p>` : ''}`,
        };
      },
      async perform(input, view) {
        const operator = { ...operatorOf(deps, view), seenVersion: Number(input.fields.version) };
        await doing.perform(operator, input.params.id ?? '', input);
        return '';
      },
      now: ({ id = '' }, view) => orderNow(deps, view, id),
    };
  }

  /** The same action on several orders, with common fields. */
  function withMany(
    doing: Doing,
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
        path: `/orders/${doing.name}`,
        section: 'orders',
        title: doing.title,
        ...(doing.noteLabel && { noteLabel: doing.noteLabel }),
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
        refusalOf: (subject) => refusalOf(doing, subject) ?? refusalOfMany(doing, subject),
        ...(doing.fields && { fields: doing.fields }),
        verb,
        perform: (view, { id, version }, input) =>
          doing.perform({ ...operatorOf(deps, view), seenVersion: version }, id, input),
        next: (view, subjects) => nextOf(view, doing, subjects),
      },
      deps,
    );
  }

  /** The next actions with the same orders: to refund them, or to record the payment of a refund. */
  function nextOf(view: View, { does }: Doing, subjects: readonly Subject[]): Content {
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

  const retry: Doing = {
    name: 'retry',
    title: { id: 'Kirim ulang', en: 'Retry' },
    does: 'retry',
    fields: () => [
      {
        name: 'maxLoss',
        label: { id: 'Kerugian yang diterima per barang', en: 'Accepted loss of an item' },
        hint: {
          id: `Sebanyak ini modal boleh melebihi harga jual, dalam satuan terkecil ${settings.currency}. Kosong: tidak boleh.`,
          en: `By how much it may cost more than its price, in the smallest unit of ${settings.currency}. Empty: not at all.`,
        },
      },
    ],
    async facts(view, { order, units }) {
      const words = view.words(texts);
      const [{ listing }, balances] = await Promise.all([
        deps.engine.catalog(),
        store.readSupplierBalances(),
      ]);
      const costs = deps.providers.suppliers.flatMap((supplier) => {
        const price = listing.findAt(order.product, supplier)?.price;
        return price === undefined ? [] : [[`${words.costsNow} ${supplier}`, view.money(price)] as const];
      });
      return [
        [words.failedFor, units.find(({ reason }) => reason !== null)?.reason ?? null],
        ...costs,
        [words.upTo, view.money(order.pricing.unit_price_before_promo)],
        ...balances.map(
          ({ supplier, balance }) => [`${words.balance} ${supplier}`, view.money(balance)] as const,
        ),
      ];
    },
    perform: (operator, id, input) => retryOrder(operator, id, readRetry(input)),
  };

  const mark: Doing = {
    name: 'mark',
    title: { id: 'Tandai', en: 'Mark' },
    noteLabel: { id: 'Dari mana Anda tahu (masuk riwayat)', en: 'How you know (for the history)' },
    does: 'mark',
    async fields(view, subjects) {
      const [only, ...others] = subjects;
      const one = only && others.length === 0 ? only : null;
      const failed = { outcome: 'failed', note: '' } as const;
      const revoked = one
        ? await markOrder(dryRun(operatorOf(deps, view)), one.order.orderId, failed).then(
            (marked) => marked.revoked.map(({ unit }) => unit).join(', '),
            () => '',
          )
        : '';
      const hint = revoked === '' ? undefined : revokedWords(revoked);
      const of = one ? '' : `${subjects.length} `;
      const fields: Field[] = [
        {
          name: 'outcome',
          label: { id: 'Yang Anda ketahui', en: 'What you found out' },
          choices: [
            {
              value: 'delivered',
              label: { id: 'terkirim', en: 'delivered' },
              verb: { id: `Tandai ${of}terkirim`, en: `Mark ${of}as delivered` },
            },
            {
              value: 'failed',
              label: { id: 'tidak terkirim', en: 'not delivered' },
              hint,
              verb: { id: `Tandai ${of}tidak terkirim`, en: `Mark ${of}as not delivered` },
            },
          ],
        },
      ];
      if (subjects.length > 1) return fields;
      const unit = {
        name: 'unit',
        label: { id: 'Nomor barang', en: 'Number of the item' },
        hint: {
          id: 'Kosongkan untuk semua yang terbuka atau dibantah.',
          en: 'Leave it empty for all that are open or contradicted.',
        },
      };
      return [
        ...fields,
        ...(one?.units.length === 1 ? [] : [unit]),
        { name: 'serialNumber', label: { id: 'Nomor seri', en: 'Serial number' }, of: 'delivered' },
      ];
    },
    perform: (operator, id, input) => markOrder(operator, id, readMark(input)),
  };

  const refund: Doing = {
    name: 'refund',
    title: { id: 'Kembalikan dana', en: 'Refund' },
    does: 'refund',
    says: texts.byHand,
    fields(view, [subject]) {
      const balance = subject && refundBalance(subject.order, subject);
      const owed = subject && owedOf(subject);
      const all = balance && Math.max(balance.received - balance.refunded, paidByGateway(balance));
      const choice = (value: string, amount: number | undefined, label: Localised): Choice[] =>
        amount === 0
          ? []
          : [
              {
                ...{ value, label, verb: refundVerb(amount === undefined ? '' : view.money(amount)) },
                ...(amount !== undefined && { amount }),
              },
            ];
      const other = {
        value: 'amount',
        label: { id: 'jumlah lain', en: 'another amount' },
        verb: { id: 'Kembalikan jumlah ini', en: 'Refund this amount' },
      };
      const amounts = [
        ...choice('owed', owed, { id: 'yang tidak terkirim', en: 'what was not delivered' }),
        ...(owed === all
          ? []
          : choice('all', all, { id: 'semua yang dibayar', en: 'everything that was paid' })),
      ];
      return [
        {
          name: 'all',
          label: { id: 'Berapa', en: 'How much' },
          // Nothing is owed for a delivered order, so the operator chooses the amount.
          choices: owed === 0 ? [other, ...amounts] : [...amounts, other],
        },
        {
          name: 'amount',
          label: { id: 'Jumlah', en: 'Amount' },
          hint: {
            id: `Bilangan bulat dalam satuan terkecil ${settings.currency}.`,
            en: `A whole number in the smallest unit of ${settings.currency}.`,
          },
          of: 'amount',
        },
      ];
    },
    facts: (view, { order, ...records }) => {
      const paid = paidByGateway(refundBalance(order, records));
      return [[view.words(texts).byGateway, paid === 0 ? null : view.money(paid)]];
    },
    perform: (operator, id, input) => refundOrder(operator, id, readRefund(input)),
  };

  const note: Doing = {
    name: 'note',
    title: { id: 'Catatan', en: 'Add a note' },
    noteLabel: { id: 'Catatan', en: 'Note' },
    says: texts.noted,
    perform: (operator, id, input) => noteOrder(operator, id, input.note),
  };

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
      // The same for an order without a failed item.
      tryNow: withOne(retry, 'try-now', { id: 'Coba sekarang', en: 'Try now' }),
      mark: withOne(mark),
      refund: withOne(refund),
      note: withOne(note),
    },
    many,
  };
}

export type OrderActions = ReturnType<typeof createOrderActions>;
