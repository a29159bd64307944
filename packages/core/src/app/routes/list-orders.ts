import {
  buyStatuses,
  type Dialect,
  type FieldRule,
  normaliseFields,
  orderListFields,
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

/** The statuses by their names in a dialect. */
const statusesIn = ({ paymentStatuses: paid, buyStatuses: bought }: Dialect) => ({
  payment_status: new Map(
    paymentStatuses.map((status) => [status === 'UNPAID' ? status : paid[status], status]),
  ),
  buy_status: new Map(
    buyStatuses.map((status) => [status === 'Pending' ? status : bought[status], status]),
  ),
});

const moment = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1_000;
