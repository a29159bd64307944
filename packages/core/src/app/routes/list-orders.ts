import {
  type BuyStatus,
  buyStatuses,
  type Dialect,
  type FieldRule,
  normaliseFields,
  orderListFields,
  type PaymentStatus,
  paymentStatuses,
  validateFields,
} from '../../contract/index.ts';
import { invalidFields } from '../../engine/index.ts';
import { jsonResponse } from '../http.ts';
import type { OperationHandler, Tools } from '../operation.ts';
import { orderListView } from '../views/invoice.ts';

/** The parameters in the query of a target; of one that is repeated, the last. */
const queryOf = (target: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(target.split('?', 2)[1]));

/** The payment statuses by their names in a dialect. */
const paymentStatusesIn = ({ paymentStatuses: names }: Dialect): ReadonlyMap<string, PaymentStatus> =>
  new Map(paymentStatuses.map((status) => [status === 'UNPAID' ? status : names[status], status]));

/** The delivery statuses by their names in a dialect. */
const buyStatusesIn = ({ buyStatuses: names }: Dialect): ReadonlyMap<string, BuyStatus> =>
  new Map(buyStatuses.map((status) => [status === 'Pending' ? status : names[status], status]));

const moment = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1_000;

/** `GET /orders` (source: ours): the orders of the caller's account, newest first, in pages. */
export function listOrders({ engine, dialect, settings, localTime }: Tools): OperationHandler {
  const payment = paymentStatusesIn(dialect);
  const delivery = buyStatusesIn(dialect);
  const options = new Map([
    ['payment_status', [...payment.keys()]],
    ['buy_status', [...delivery.keys()]],
  ]);
  // Safe: only the options differ, which are texts in every dialect.
  const rules = orderListFields.map((rule: FieldRule) => {
    const names = options.get(rule.name);
    return names ? { ...rule, options: names } : rule;
  }) as unknown as typeof orderListFields;

  return async ({ request, caller }) => {
    const query = normaliseFields(rules, queryOf(request.target));
    const checked = validateFields(rules, query, settings.limits);
    if ('errors' in checked) throw invalidFields(checked.errors);
    const { limit, cursor, payment_status, buy_status, created_from, created_before, idempotency_key } =
      checked.values;
    const page = await engine.orders.list(caller.accountId, {
      limit,
      cursor,
      idempotencyKey: idempotency_key,
      paymentStatus: payment.get(payment_status ?? ''),
      buyStatus: delivery.get(buy_status ?? ''),
      from: moment(created_from),
      before: moment(created_before),
    });
    if (!page) throw invalidFields({ cursor: [{ rule: 'option' }] });
    return jsonResponse(200, orderListView(page, localTime));
  };
}
