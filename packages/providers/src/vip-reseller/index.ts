import { defineProvider } from '../provider.ts';
import { createVipResellerSupplier } from './adapter.ts';
import { vipResellerSettings } from './settings.ts';

export const vipReseller = defineProvider({
  name: 'vip-reseller',
  title: 'VIP Reseller',
  kind: 'supplier',
  settings: vipResellerSettings,
  create: createVipResellerSupplier,
});
