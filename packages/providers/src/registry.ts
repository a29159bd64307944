import { digiflazz } from './digiflazz/index.ts';
import { duitku } from './duitku/index.ts';
import { midtrans } from './midtrans/index.ts';
import { tokovoucher } from './tokovoucher/index.ts';
import { tripay } from './tripay/index.ts';
import { vipReseller } from './vip-reseller/index.ts';

/** All payment gateways and suppliers, in the order of help texts. No other code outside a provider's folder names the provider. */
export const providers = [tripay, midtrans, duitku, digiflazz, vipReseller, tokovoucher] as const;

export const gateways = providers.filter((provider) => provider.kind === 'gateway');
export const suppliers = providers.filter((provider) => provider.kind === 'supplier');

export const gatewayNames = gateways.map(({ name }) => name);
export const supplierNames = suppliers.map(({ name }) => name);

export type GatewayName = (typeof gatewayNames)[number];
export type SupplierName = (typeof supplierNames)[number];
export type ProviderName = GatewayName | SupplierName;
