import type { PaymentGateway } from '@topup-kit/core/gateway';
import type { Supplier } from '@topup-kit/core/supplier';
import { readConfig } from '../../packages/server/src/index.ts';
import { withConfiguredParts } from '../../packages/server/src/service/service.ts';
import type { Pair, SimulatedProviders } from './simulated.ts';

/** `VIP_RESELLER`, with which the settings of a provider begin. */
const prefixOf = (name: string): string => name.toUpperCase().replaceAll('-', '_');

/** The adapters of a pair of providers by their settings, as a live server has them, but for the simulators. */
export function createAdapters(
  { gateway, supplier }: Pair,
  { baseUrl, credentials }: Pick<SimulatedProviders, 'baseUrl' | 'credentials'>,
  clock: () => number,
): { gateway: PaymentGateway; supplier: Supplier } {
  const config = readConfig({
    TOPUP_GATEWAY: gateway,
    TOPUP_SUPPLIER: supplier,
    ...credentials(gateway),
    ...credentials(supplier),
    [`${prefixOf(gateway)}_BASE_URL`]: baseUrl(gateway),
    [`${prefixOf(supplier)}_BASE_URL`]: baseUrl(supplier),
  });
  const parts = withConfiguredParts(config, { realClock: clock });
  if (!parts.gateway || !parts.supplier) throw new Error('the settings chose no adapters');
  return { gateway: parts.gateway, supplier: parts.supplier };
}
