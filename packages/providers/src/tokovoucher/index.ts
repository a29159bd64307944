import { defineProvider } from '../provider.ts';
import { createTokovoucherSupplier } from './adapter.ts';
import { tokovoucherSettings } from './settings.ts';

export const tokovoucher = defineProvider({
  name: 'tokovoucher',
  title: 'Tokovoucher',
  kind: 'supplier',
  settings: tokovoucherSettings,
  create: createTokovoucherSupplier,
});
