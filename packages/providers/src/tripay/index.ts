import { defineProvider } from '../provider.ts';
import { createTripayGateway } from './adapter.ts';
import { fallbackEmail, tripaySettings } from './settings.ts';

export const tripay = defineProvider({
  name: 'tripay',
  title: 'Tripay',
  kind: 'gateway',
  settings: tripaySettings,
  create: (settings, { publicUrl }) =>
    createTripayGateway({ ...settings, fallbackEmail: settings.fallbackEmail ?? fallbackEmail(publicUrl) }),
  loadSimulator: async () => (await import('./simulator.ts')).createTripaySimulator,
});
