import type { CreatedOrder, OrderRequest } from '@topup-kit/sdk';
import type { Service } from '../../client.ts';
import type { KeyWatch } from './key-watch.ts';

/** An order to be placed, and whom it goes to. */
export interface Placing {
  service: Service;
  keyWatch: KeyWatch;
  request: OrderRequest;
  /** Place another order, although one like it is unfinished. */
  another: boolean;
  /** Prints the order; what is printed is known to whoever ran the command. */
  tell(answer: CreatedOrder): Promise<void>;
}
