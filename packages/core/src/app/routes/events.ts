import { eventListFields, normaliseFields, validateFields } from '../../contract/index.ts';
import { type FeedEvent, invalidFields } from '../../engine/index.ts';
import { queryOf, renderedResponse } from '../http.ts';
import type { OperationHandler, Tools } from '../operation.ts';

/** Its body, which is a JSON object with fields, begins with the id. */
const withId = ({ id, body }: FeedEvent): string => `{"id":${JSON.stringify(id)},${body.slice(1)}`;

/** `GET /events` (source: ours): what happened to the orders of the caller's account after a cursor, the oldest first. */
export function listEvents({ engine, settings }: Tools): OperationHandler {
  return async ({ request, caller }) => {
    const query = normaliseFields(eventListFields, queryOf(request.target));
    const checked = validateFields(eventListFields, query, settings.limits);
    if ('errors' in checked) throw invalidFields(checked.errors);
    const { after, limit } = checked.values;
    const page = await engine.readEvents(caller.accountId, { after, limit });
    if (!page) throw invalidFields({ after: [{ rule: 'option' }] });
    const data = page.events.map(withId).join(',');
    return renderedResponse(
      200,
      `{"success":true,"data":[${data}],"next_cursor":${JSON.stringify(page.cursor)}}`,
    );
  };
}
