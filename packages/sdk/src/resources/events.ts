import type { ListEventsQuery, ListEventsResponse } from '../generated/types.ts';
import type { RequestOptions } from '../options.ts';
import { asCall, type TopupCall, type WithRequestId } from '../sending/call.ts';
import type { Send } from '../sending/send.ts';

/** What happened to your orders, for programs that can't be sent webhooks. */
export interface EventsResource {
  /**
   * Lists what happened to the orders of the account of the API key after a cursor, the oldest first: `{ success, data,
   * next_cursor }` (`GET /events`, a Topup Kit extension: a service without it rejects with a 404). Without `after` there are no
   * events, and `next_cursor` is where what happens from now on begins. Rejects with a 422 when the cursor is none of the service's.
   *
   * @example
   * ```ts
   * const { next_cursor } = await client.events.list();
   * const { data } = await client.events.list({ after: next_cursor });
   * for (const { type, data: { order } } of data) console.log(type, order.order_id);
   * ```
   */
  list(query?: ListEventsQuery, options?: RequestOptions): TopupCall<WithRequestId<ListEventsResponse>>;
}

export const createEvents = (send: Send): EventsResource => ({
  list: (query, options) => asCall(send({ operation: 'listEvents', params: {}, query, options })),
});
