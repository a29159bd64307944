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
  loadSimulator: async () => (await import('./simulator.ts')).createMidtransSimulator,
});
