import { defineProvider, fallbackEmail } from '../provider.ts';
import { createTripayGateway } from './adapter.ts';
import { tripaySettings } from './settings.ts';

export const tripay = defineProvider({
  name: 'tripay',
  title: 'Tripay',
  kind: 'gateway',
  settings: tripaySettings,
  create: (settings, host) =>
    createTripayGateway(
      { ...settings, fallbackEmail: settings.fallbackEmail ?? fallbackEmail(host.publicUrl) },
      host,
    ),
  statement: {
    reference: ['reference'],
    orderId: ['merchant_ref'],
    amount: ['total_amount', 'amount'],
    status: ['status'],
    paid: ['PAID', 'REFUND'],
    paidAt: ['paid_at'],
  },
});
