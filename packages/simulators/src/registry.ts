import type { ProviderName } from '@topup-kit/providers/registry';
import { createDigiflazzSimulator } from './digiflazz/simulator.ts';
import { createDuitkuSimulator } from './duitku/simulator.ts';
import { createMidtransSimulator } from './midtrans/simulator.ts';
import type { Simulator, SimulatorContext } from './simulator.ts';
import { createTokovoucherSimulator } from './tokovoucher/simulator.ts';
import { createTripaySimulator } from './tripay/simulator.ts';
import { createVipResellerSimulator } from './vip-reseller/simulator.ts';

/** Each provider's simulator. No other code outside a simulator's folder names the provider. */
export const simulatorOf: Readonly<Record<ProviderName, (context: SimulatorContext) => Simulator>> = {
  tripay: createTripaySimulator,
  midtrans: createMidtransSimulator,
  duitku: createDuitkuSimulator,
  digiflazz: createDigiflazzSimulator,
  'vip-reseller': createVipResellerSimulator,
  tokovoucher: createTokovoucherSimulator,
};
