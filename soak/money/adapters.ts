import type { PaymentGateway } from '@topup-kit/core/gateway';
import type { Supplier } from '@topup-kit/core/supplier';
import { readConfig } from '../../packages/server/src/index.ts';
import { withConfiguredParts } from '../../packages/server/src/service/parts.ts';
import type { GatewayName, SimulatedProviders, SupplierName } from './simulated.ts';

/** Returns `VIP_RESELLER`, with which the settings of a provider begin. */
const prefixOf = (name: string): string => name.toUpperCase().replaceAll('-', '_');

/** Creates the adapters of a gateway and suppliers from their settings, as in a live server, but connected to the simulators. */
export function createAdapters(
  { gateway, suppliers }: { gateway: GatewayName; suppliers: readonly SupplierName[] },
  { baseUrl, credentials }: Pick<SimulatedProviders, 'baseUrl' | 'credentials'>,
  clock: () => number,
): { gateway: PaymentGateway; supplier: Supplier; otherSuppliers: readonly Supplier[] } {
  const providers = [gateway, ...suppliers];
  const config = readConfig({
    TOPUP_GATEWAY: gateway,
    TOPUP_SUPPLIER: suppliers.join(','),
    TOPUP_PUBLIC_URL: 'http://shop.test',
    ...Object.assign({}, ...providers.map(credentials)),
    ...Object.fromEntries(providers.map((name) => [`${prefixOf(name)}_BASE_URL`, baseUrl(name)])),
  });
  const parts = withConfiguredParts(config, { realClock: clock }, () => {});
  if (!parts.gateway || !parts.supplier) throw new Error('the settings chose no adapters');
  return { gateway: parts.gateway, supplier: parts.supplier, otherSuppliers: parts.otherSuppliers ?? [] };
}
