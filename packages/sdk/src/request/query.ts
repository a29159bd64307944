import type { Operation } from '@topup-kit/core/contract';
import type { ListEventsQuery, ListOrdersQuery } from '../generated/types.ts';
import { checkNames, type NamesOf, rejectOption } from './check-options.ts';

const orderQueryNames: NamesOf<ListOrdersQuery> = {
  limit: true,
  cursor: true,
  payment_status: true,
  buy_status: true,
  created_from: true,
  created_before: true,
  idempotency_key: true,
};

const eventQueryNames: NamesOf<ListEventsQuery> = { after: true, limit: true };

/** Returns a query such as `?limit=20`, or an empty text. Rejects a filter without a value, which would match unexpected entries. */
export function queryText(operation: Operation, query: object): string {
  const metadata = { operation };
  checkNames(query, operation === 'listOrders' ? orderQueryNames : eventQueryNames, metadata);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined && name !== 'idempotency_key') continue;
    if (!String(value ?? '').trim()) rejectOption(name, 'a non-empty string', metadata);
    search.set(name, value);
  }
  return `${search}` && `?${search}`;
}
