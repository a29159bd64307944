import { eventListFields, type FieldRule, orderListFields, statusesByName } from '../../contract/index.ts';
import { DomainError, type FeedEvent, invalidFields } from '../../engine/index.ts';
import { jsonResponse, renderedResponse } from '../http.ts';
import type { OperationHandler, Tools } from '../operation.ts';
import { readQuery } from '../query.ts';
import { invoiceView, orderListView } from '../views/invoice.ts';
import { paymentStatusView } from '../views/order.ts';

const moment = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1_000;

/** Handles `GET /orders` (source: ours), which lists the account's orders in pages, newest first. */
export function listOrders({ engine, dialect, settings, localTime }: Tools): OperationHandler {
  const statuses = statusesByName(dialect);
  const options = new Map([
    ['payment_status', [...statuses.payment.keys()]],
    ['buy_status', [...statuses.buy.keys()]],
  ]);
  // Safe: only the options differ, and they are texts in every dialect.
  const rules = orderListFields.map((rule: FieldRule) => {
    const names = options.get(rule.name);
    return names ? { ...rule, options: names } : rule;
  }) as unknown as typeof orderListFields;

  return async ({ request, caller }) => {
    const { limit, cursor, payment_status, buy_status, created_from, created_before, idempotency_key } =
      readQuery(rules, request.target, settings.limits);
    const page = await engine.orders.list(caller.accountId, {
      limit,
      cursor,
      idempotencyKey: idempotency_key,
      paymentStatus: statuses.payment.get(payment_status ?? ''),
      buyStatus: statuses.buy.get(buy_status ?? ''),
      from: moment(created_from),
      before: moment(created_before),
    });
    if (!page) throw invalidFields({ cursor: [{ rule: 'option' }] });
    return jsonResponse(200, orderListView(page, localTime));
  };
}

/** Handles `GET /invoice/{order_id}` (source: live). */
export function getInvoice(tools: Tools): OperationHandler {
  return async ({ caller, parameters, record }) => {
    const order = await tools.engine.orders.find(caller.accountId, parameters.order_id ?? '');
    if (!order) throw new DomainError('INVOICE_NOT_FOUND');
    record.orderId = order.orderId;
    return jsonResponse(200, invoiceView(await tools.engine.orders.invoiced(order), tools));
  };
}

/** Handles `GET /invoice/{order_id}/payment-status` (source: live). */
export function getPaymentStatus({ engine }: Tools): OperationHandler {
  return async ({ caller, parameters, record }) => {
    const order = await engine.orders.findProgress(caller.accountId, parameters.order_id ?? '');
    if (!order) throw new DomainError('INVOICE_NOT_FOUND');
    record.orderId = order.orderId;
    return jsonResponse(200, paymentStatusView(order));
  };
}

/** Returns the event's body with the id as its first field. */
const withId = ({ id, body }: FeedEvent): string => `{"id":${JSON.stringify(id)},${body.slice(1)}`;

/** Handles `GET /events` (source: ours), which lists events of the account's orders after a cursor, oldest first. */
export function listEvents({ engine, settings }: Tools): OperationHandler {
  return async ({ request, caller }) => {
    const { after, limit } = readQuery(eventListFields, request.target, settings.limits);
    const page = await engine.readEvents(caller.accountId, { after, limit });
    if (!page) throw invalidFields({ after: [{ rule: 'option' }] });
    const data = page.events.map(withId).join(',');
    return renderedResponse(
      200,
      `{"success":true,"data":[${data}],"next_cursor":${JSON.stringify(page.cursor)}}`,
    );
  };
}
