import { defineProvider } from '../provider.ts';
import { createMidtransGateway } from './adapter.ts';
import { midtransSettings } from './settings.ts';

export const midtrans = defineProvider({
  name: 'midtrans',
  title: 'Midtrans',
  kind: 'gateway',
  settings: midtransSettings,
  create: (settings, host) =>
    createMidtransGateway({ ...settings, signatureKey: settings.signatureKey ?? settings.serverKey }, host),
  statement: {
    reference: ['transaction_id'],
    orderId: ['order_id'],
    amount: ['gross_amount', 'amount'],
    status: ['transaction_status', 'status'],
    paid: ['SETTLEMENT', 'CAPTURE', 'REFUND', 'PARTIAL_REFUND'],
    paidAt: ['settlement_time', 'transaction_time'],
  },
});
