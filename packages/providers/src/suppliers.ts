import type { Supplier } from '@topup-kit/core/supplier';
import { createDigiflazzSupplier } from './digiflazz/adapter.ts';
import { digiflazzSettings } from './digiflazz/settings.ts';
import { defineProvider, type Provider } from './settings.ts';
import { createVipResellerSupplier } from './vip-reseller/adapter.ts';
import { vipResellerSettings } from './vip-reseller/settings.ts';

export type SupplierName = 'digiflazz' | 'vip-reseller';

/** The suppliers, by the names that `TOPUP_SUPPLIER` takes. */
export const suppliers: Record<SupplierName, Provider<Supplier>> = {
  digiflazz: defineProvider(digiflazzSettings, createDigiflazzSupplier),
  'vip-reseller': defineProvider(vipResellerSettings, createVipResellerSupplier),
};
