import { DomainError } from '../../engine/index.ts';
import { jsonResponse } from '../http.ts';
import type { OperationHandler, Tools } from '../operation.ts';
import { paymentStatusView } from '../views/invoice.ts';

/** `GET /invoice/{order_id}/payment-status` (source: live). */
export function getPaymentStatus({ engine }: Tools): OperationHandler {
  return async ({ caller, parameters, facts }) => {
    const order = await engine.orders.findProgress(caller.accountId, parameters.order_id ?? '');
    if (!order) throw new DomainError('INVOICE_NOT_FOUND');
    facts.orderId = order.orderId;
    return jsonResponse(200, paymentStatusView(order));
  };
}
