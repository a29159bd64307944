import { DomainError } from '../../engine/index.ts';
import { jsonResponse } from '../http.ts';
import type { OperationHandler, Tools } from '../operation.ts';
import { invoiceView } from '../views/invoice.ts';

/** `GET /invoice/{order_id}` (source: live). */
export function getInvoice(tools: Tools): OperationHandler {
  return async ({ caller, parameters, facts }) => {
    const order = await tools.engine.orders.find(caller.accountId, parameters.order_id ?? '');
    if (!order) throw new DomainError('INVOICE_NOT_FOUND');
    facts.orderId = order.orderId;
    const failureReason = await tools.engine.orders.findFailureReason(order);
    const refundAmount = await tools.engine.orders.findRefundAmount(order);
    return jsonResponse(200, invoiceView({ ...order, failureReason, refundAmount }, tools));
  };
}
