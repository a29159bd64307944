import type { StoredOrder } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { orderMissing } from '../../errors/from-engine.ts';
import { operate, type StoreOptions } from '../../store/open.ts';
import { historyScreen } from './history-screen.ts';
import { historyDocument, orderDocument, reconciliationDocument, unitDocument } from './order-document.ts';
import { orderScreen, type ShownOrder } from './order-screen.ts';

/** Proofs are told with the items. The store knows no addresses of the server, so a page and a picture of its own are left out. */
const shownOrder = (order: StoredOrder): ShownOrder => ({
  orderId: order.orderId,
  paymentStatus: order.paymentStatus,
  buyStatus: order.buyStatus,
  createdAt: order.createdAt,
  accountId: order.accountId,
  contact: [order.contact.whatsapp, order.contact.email].filter(Boolean).join(', '),
  game: order.game.title,
  product: order.product.title,
  account: order.target.id,
  server: order.target.server,
  nickname: order.target.nickname,
  pricing: order.pricing,
  payment: {
    method: order.paymentMethod.name,
    code: order.payment.qrString === null ? (order.payment.code ?? order.payment.reference) : null,
    qrUrl: null,
    pageUrl: order.payment.url,
    before: order.expiresAt,
  },
});

/** Shows an order as the store has it, with all that happened to it. */
export const showWithHistory = (
  orderId: string,
  options: StoreOptions,
  context: CommandContext,
): Promise<void> =>
  operate(context, options, async ({ store, path, commandLine }) => {
    const order = await store.findOrder(orderId);
    if (!order) throw orderMissing({ orderId, path, commandLine });
    const [history, units, payments] = await Promise.all([
      store.findHistory(orderId),
      store.findUnits(orderId),
      store.listReconciliations(),
    ]);
    const reconciliations = payments.filter((one) => one.orderId === orderId);
    const document = {
      ...orderDocument(order),
      history: history.map(historyDocument),
      units: units.map(unitDocument),
      reconciliations: reconciliations.map(reconciliationDocument),
    };
    await context.print({
      document,
      ids: [orderId],
      screen: (look) =>
        [
          orderScreen(shownOrder(order), look),
          historyScreen({ order, history, units, reconciliations }, look),
        ].join('\n'),
    });
  });
