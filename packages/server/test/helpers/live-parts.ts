import { createSimulatedGateway } from '@topup-kit/core/gateway';
import { secureRandom } from '@topup-kit/core/platform';
import { createSimulatedSupplier } from '@topup-kit/core/supplier';
import type { ServerParts } from '../../src/index.ts';

/** Parts that a live server accepts as real. */
export const liveParts: Required<Pick<ServerParts, 'gateway' | 'supplier'>> = {
  gateway: {
    ...createSimulatedGateway({
      clock: Date.now,
      random: secureRandom,
      pageUrl: (reference) => `https://gateway.example/${reference}`,
    }),
    name: 'real',
    sandbox: false,
  },
  supplier: { ...createSimulatedSupplier({ clock: Date.now }), name: 'real-supplier', sandbox: false },
};
