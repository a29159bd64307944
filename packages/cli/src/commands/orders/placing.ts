import type { CreatedOrder, OrderRequest } from '@topup-kit/sdk';
import type { Service } from '../../client.ts';
import type { KeyWatch } from './key-watch.ts';

/** An order that was made, and told. */
export interface Made {
  orderId: string;
  /** Where it is paid, and what becomes of it can be seen. */
  pageUrl: string | null;
  /** Whether the service has shown that it shows no orders. */
  showsNone: boolean;
}

/** An order to be placed, and whom it goes to. */
export interface Placing {
  service: Service;
  keyWatch: KeyWatch;
  request: OrderRequest;
  /** Place another order, although one like it is unfinished. */
  another: boolean;
  /** Prints the order; what is printed is known to whoever ran the command. */
  tell(answer: CreatedOrder): Promise<Made>;
}
