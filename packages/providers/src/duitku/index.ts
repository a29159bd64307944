import { defineProvider, fallbackEmail } from '../provider.ts';
import { createDuitkuGateway } from './adapter.ts';
import { duitkuSettings } from './settings.ts';

export const duitku = defineProvider({
  name: 'duitku',
  title: 'Duitku',
  kind: 'gateway',
  settings: duitkuSettings,
  create: (settings, host) =>
    createDuitkuGateway(
      {
        ...settings,
        fallbackEmail: settings.fallbackEmail ?? fallbackEmail(host.publicUrl),
        publicUrl: host.publicUrl,
      },
      host,
    ),
  statement: {
    reference: ['reference'],
    orderId: ['merchantOrderId'],
    amount: ['amount'],
    status: ['resultCode', 'statusCode'],
    paid: ['00'],
    paidAt: [],
  },
});
