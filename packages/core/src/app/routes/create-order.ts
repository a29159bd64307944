import {
  type Dialect,
  headers,
  idempotencyKeyLength,
  normaliseFields,
  orderPayload,
  orderRules,
} from '../../contract/index.ts';
import { invalidFields, type OrderResponse } from '../../engine/index.ts';
import {
  checkFields,
  languageHeaders,
  type PlainResponse,
  readJsonBody,
  renderedResponse,
  type SentRequest,
} from '../http.ts';
import type { OperationHandler, Tools } from '../operation.ts';

const name = headers.idempotencyKey;

/**
 * Reads `Idempotency-Key`, with or without quotes; null if the header is missing or the dialect ignores it (source: ours).
 *
 * @throws DomainError VALIDATION_ERROR for a key that is empty or too long.
 */
export function readIdempotencyKey(request: SentRequest, { idempotency }: Dialect): string | null {
  const sent = request.header(name);
  if (sent === null || idempotency === 'ignored') return null;
  const key = /^"(.*)"$/.exec(sent.trim())?.[1] ?? sent.trim();
  if (key === '') throw invalidFields({ [name]: [{ rule: 'header' }] });
  if (key.length > idempotencyKeyLength)
    throw invalidFields({
      [name]: [{ rule: 'headerLength', params: { limit: idempotencyKeyLength } }],
    });
  return key;
}

/** Returns the response header that repeats the request's key, so that the client knows that a retry is safe. */
export function idempotencyEcho(request: SentRequest): Record<string, string> {
  const sent = request.header(name);
  return sent === null ? {} : { [name]: sent };
}

/** Creates the 201 response. A replay has the same bytes, whatever language the request asks for. */
const created = ({ body, locale, replayed }: OrderResponse): PlainResponse =>
  renderedResponse(201, body, {
    ...(locale !== null && languageHeaders(locale)),
    ...(replayed && { [headers.idempotencyReplayed]: 'true' }),
  });

/** Handles `POST /order` (interface 4.2): checks body, idempotency and fields, then applies the rules of the engine. */
export function createOrder(tools: Tools): OperationHandler {
  const { engine, settings, hash, dialect } = tools;
  const rules = orderRules(dialect);
  return async ({ request, caller: { accountId }, locale, record }) => {
    const respond = (response: OrderResponse): PlainResponse => {
      record.orderId = response.orderId;
      return created(response);
    };
    const body = await readJsonBody(request, settings.limits.bodyBytes);
    const fields = normaliseFields(rules.read, body);
    const key = readIdempotencyKey(request, dialect);
    const idempotency =
      key === null
        ? null
        : {
            key,
            fingerprint: hash(orderPayload(fields)),
            formerFingerprints: () => {
              const sent = normaliseFields(rules.formerly, body);
              // The hashes of earlier versions: before texts were cleaned, and before phone numbers were compared by their digits.
              return [hash(orderPayload(sent)), hash(JSON.stringify(sent))];
            },
          };
    const earlier = idempotency && (await engine.orders.findIdempotentResponse(accountId, idempotency));
    if (earlier) return respond(earlier);

    const input = checkFields(rules.check, fields, settings.limits);
    return respond(await engine.orders.place({ accountId, input, idempotency, locale }));
  };
}
