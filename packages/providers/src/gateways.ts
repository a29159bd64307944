import type { RemoteGateway } from '@topup-kit/core/gateway';
import { createMidtransGateway } from './midtrans/adapter.ts';
import { midtransSettings } from './midtrans/settings.ts';
import { defineProvider, type Provider } from './settings.ts';
import { createTripayGateway } from './tripay/adapter.ts';
import { fallbackEmail, tripaySettings } from './tripay/settings.ts';

export type GatewayName = 'tripay' | 'midtrans';

/** The payment gateways, by the names that `TOPUP_GATEWAY` takes. */
export const gateways: Record<GatewayName, Provider<RemoteGateway>> = {
  tripay: defineProvider(tripaySettings, (settings, { publicUrl }) =>
    createTripayGateway({ ...settings, fallbackEmail: settings.fallbackEmail ?? fallbackEmail(publicUrl) }),
  ),
  midtrans: defineProvider(midtransSettings, (settings, host) =>
    createMidtransGateway({ ...settings, signatureKey: settings.signatureKey ?? settings.serverKey }, host),
  ),
};
