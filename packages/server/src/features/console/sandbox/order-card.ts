import type { Localised } from '@topup-kit/core/contract';
import type { SandboxAction } from '@topup-kit/core/features/sandbox';
import type { StoredOrder, StoredUnit } from '@topup-kit/core/store';
import { html, type Markup } from '../../../pages/html.ts';
import type { Simulated } from '../../simulation.ts';
import { actionButton, type ConsoleAction, InputError } from '../actions.ts';
import { card } from '../parts.ts';
import type { CreateOrderCard } from '../section.ts';
import type { View } from '../view.ts';

const labels: Record<SandboxAction, Localised> = {
  pay: { id: 'Bayar', en: 'Pay' },
  fail: { id: 'Gagalkan pembayaran', en: 'Fail the payment' },
  expire: { id: 'Kedaluwarsakan', en: 'Expire' },
  'pay-late': { id: 'Bayar terlambat', en: 'Pay late' },
  'pay-wrong-amount': { id: 'Bayar kurang', en: 'Pay too little' },
  'pay-again': { id: 'Bayar lagi', en: 'Pay again' },
  'pay-unknown': { id: 'Bayar tanpa pesanan', en: 'Pay for no order' },
  deliver: { id: 'Kirim', en: 'Deliver' },
  'fail-delivery': { id: 'Gagalkan pengiriman', en: 'Fail the delivery' },
  'lose-delivery': { id: 'Hilangkan hasil pengiriman', en: 'Lose the outcome' },
  'contradict-delivery': { id: 'Bantah hasil pengiriman', en: 'Contradict the delivery' },
  refund: { id: 'Gateway mengembalikan dana', en: 'Refund by the gateway' },
};

/** Tells for each action whether an order's state lets it have an effect. Otherwise its button is hidden. */
const isPossible: Record<SandboxAction, (order: StoredOrder, units: readonly StoredUnit[]) => boolean> = {
  pay: ({ paymentStatus }) => paymentStatus === 'UNPAID',
  fail: ({ paymentStatus }) => paymentStatus === 'UNPAID',
  expire: ({ paymentStatus }) => paymentStatus === 'UNPAID',
  'pay-late': ({ paymentStatus }) => paymentStatus === 'UNPAID' || paymentStatus === 'EXPIRED',
  'pay-wrong-amount': ({ paymentStatus }) => paymentStatus === 'UNPAID',
  'pay-again': ({ paymentStatus }) => paymentStatus === 'PAID' || paymentStatus === 'REFUND',
  'pay-unknown': () => true,
  deliver: ({ buyStatus }) => buyStatus === 'Proses',
  'fail-delivery': ({ buyStatus }) => buyStatus === 'Proses',
  'lose-delivery': ({ buyStatus }, units) =>
    buyStatus === 'Proses' && units.some(({ state }) => state === 'waiting' || state === 'asked'),
  'contradict-delivery': (_order, units) =>
    units.some(
      ({ state, contradiction }) => (state === 'delivered' || state === 'failed') && contradiction === null,
    ),
  refund: ({ paymentStatus, buyStatus }) => paymentStatus === 'PAID' && buyStatus === 'Gagal',
};

/** Creates the action that changes an order in a sandbox without a form. */
const createSandboxAction = (sandbox: Simulated): ConsoleAction => ({
  path: '/orders/:id/sandbox',
  section: 'orders',
  title: { id: 'Sandbox', en: 'Sandbox' },
  isWithoutNote: true,
  fields: () => [
    {
      name: 'action',
      label: { id: 'Tindakan', en: 'Action' },
      required: true,
      choices: sandbox.actions.map((action) => ({ value: action, label: labels[action] })),
    },
  ],
  async perform({ params, fields }) {
    const action = sandbox.actions.find((known) => known === fields.action);
    if (!action) throw new InputError({ id: 'Tindakan ini tidak ada.', en: 'There is no such action.' });
    await sandbox.act(params.id ?? '', action);
    return '';
  },
});

/** Renders the sandbox's buttons for an order; nothing for a read-only visitor. */
function sandboxCard(
  view: View,
  { order, units }: { order: StoredOrder; units: readonly StoredUnit[] },
  { sandbox, action }: { sandbox: Simulated; action: ConsoleAction },
): Markup | '' {
  if (!view.visitor.mayAct) return '';
  const buttons = sandbox.actions
    .filter((name) => isPossible[name](order, units))
    .map((name) =>
      actionButton(
        view,
        action,
        { id: order.orderId },
        { label: view.text(labels[name]), fields: { action: name } },
      ),
    );
  return card(view.text(action.title), html`<div class="actions">${buttons}</div>`);
}

/** Creates the sandbox's card on the page of an order. */
export const sandboxOfOrder: CreateOrderCard = ({ sandbox }) => {
  if (!sandbox) return null;
  const action = createSandboxAction(sandbox);
  return { action, render: (view, story) => sandboxCard(view, story, { sandbox, action }) };
};
