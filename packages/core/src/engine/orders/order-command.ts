import type { OrderInput, PaymentGroup } from '../../contract/index.ts';
import type { Random } from '../../platform/index.ts';
import type { CatalogView } from '../catalog/catalog-view.ts';
import type { ZonedTime } from '../zoned-time.ts';
import type { RecoveryDependencies } from './recover-orders.ts';

export interface PlaceOrderDependencies extends RecoveryDependencies {
  random: Random;
  /** The randomness of one order; `random` unless said. */
  orderRandom?: (command: OrderCommand) => Random;
  catalog: () => Promise<CatalogView>;
  localTime: (moment: number) => ZonedTime;
  /** How long an order waits for its payment, in milliseconds. */
  paymentTime: Record<PaymentGroup, number>;
}

/** Who orders what. */
export interface OrderCommand {
  accountId: string;
  input: OrderInput;
  idempotency: { key: string; fingerprint: string } | null;
}

/** The answer to an order, and whether it is the stored one of an earlier order. */
export interface OrderAnswer {
  body: string;
  replayed: boolean;
}
