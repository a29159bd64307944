import { headers, normaliseFields, orderPayload, orderRules, validateFields } from '../../contract/index.ts';
import { invalidFields, type OrderResponse } from '../../engine/index.ts';
import { languageHeaders, type PlainResponse, readJsonBody, renderedResponse } from '../http.ts';
import { readIdempotencyKey } from '../idempotency.ts';
import type { OperationHandler, Tools } from '../operation.ts';

/** A replay is the same bytes, whatever language the repeated request asks for. */
const created = ({ body, locale, replayed }: OrderResponse): PlainResponse =>
  renderedResponse(201, body, {
    ...(locale !== null && languageHeaders(locale)),
    ...(replayed && { [headers.idempotencyReplayed]: 'true' }),
  });

/** `POST /order` (interface 4.2): body, idempotency, fields, then the rules of the engine. */
export function createOrder(tools: Tools): OperationHandler {
  const { engine, settings, hash, dialect } = tools;
  const rules = orderRules(dialect);
  return async ({ request, caller: { accountId }, locale, facts }) => {
    const respond = (response: OrderResponse): PlainResponse => {
      facts.orderId = response.orderId;
      return created(response);
    };
    const fields = normaliseFields(rules.read, await readJsonBody(request, settings.limits.bodyBytes));
    const key = readIdempotencyKey(request, dialect);
    const idempotency =
      key === null
        ? null
        : {
            key,
            fingerprint: hash(orderPayload(fields)),
            // Until phone numbers counted by their digits.
            formerFingerprint: () => hash(JSON.stringify(fields)),
          };
    const earlier = idempotency && (await engine.orders.findIdempotentResponse(accountId, idempotency));
    if (earlier) return respond(earlier);

    const checked = validateFields(rules.check, fields, settings.limits);
    if ('errors' in checked) throw invalidFields(checked.errors);
    return respond(await engine.orders.place({ accountId, input: checked.values, idempotency, locale }));
  };
}
