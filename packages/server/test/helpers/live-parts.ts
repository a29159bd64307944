import { createSimulatedGateway } from '@topup-kit/core/gateway';
import { type Clock, secureRandom } from '@topup-kit/core/platform';
import { createSimulatedSupplier } from '@topup-kit/core/supplier';
import type { ServerOverrides } from '../../src/index.ts';

/** Parts that a live server accepts as real, on a clock. */
export const livePartsOn = (clock: Clock): Required<Pick<ServerOverrides, 'gateway' | 'supplier'>> => ({
  gateway: {
    ...createSimulatedGateway({
      clock,
      random: secureRandom,
      pageUrl: (reference) => `https://gateway.example/${reference}`,
    }),
    name: 'real',
    sandbox: false,
  },
  supplier: { ...createSimulatedSupplier({ clock }), name: 'real-supplier', sandbox: false },
});

export const liveParts = livePartsOn(Date.now);
