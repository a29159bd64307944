import type { LocalGateway } from '@topup-kit/core/gateway';
import type { Supplier } from '@topup-kit/core/supplier';
import type { Fate } from './fates.ts';

/** What went wrong because it was asked for, so that nobody needs to be told. */
export class AskedForError extends Error {
  override readonly name = 'AskedForError';
}

/** A gateway that can't be reached while it is down. */
export const unreliableGateway = (gateway: LocalGateway, isDown: () => boolean): LocalGateway => ({
  ...gateway,
  createPayment(request) {
    if (isDown()) throw new AskedForError('scenario gateway-down');
    return gateway.createPayment(request);
  },
});

const orderOf = (reference: string): string => reference.replace(/-\d+-\d+$/, '');

/** A supplier that does to each order what its fate is. */
export const fatefulSupplier = (
  supplier: Supplier,
  fateOf: (orderId: string) => Fate['supplier'],
): Supplier => ({
  ...supplier,
  async supply(request, signal) {
    const fate = fateOf(orderOf(request.reference));
    if (fate === 'supplier-down') throw new AskedForError('scenario supplier-down');
    if (fate === 'supplier-fails') return { state: 'failed', reason: 'scenario supplier-fails' };
    return supplier.supply(request, signal);
  },
});
