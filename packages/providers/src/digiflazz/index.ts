import { defineProvider } from '../provider.ts';
import { createDigiflazzSupplier } from './adapter.ts';
import { digiflazzSettings } from './settings.ts';

export const digiflazz = defineProvider({
  name: 'digiflazz',
  title: 'Digiflazz',
  kind: 'supplier',
  settings: digiflazzSettings,
  create: createDigiflazzSupplier,
});
