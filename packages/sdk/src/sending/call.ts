import type { AnyTopupError } from '../errors/index.ts';
import type { ResponseWithMetadata, ResponseWithText, Result, TopupCall } from '../results.ts';

export function asCall<Data>(exchange: Promise<ResponseWithText<Data>>): TopupCall<Data> {
  const body = exchange.then(({ data }) => data);
  const derive = <Value>(value: (received: ResponseWithText<Data>) => Value): Promise<Value> => {
    // The caller gets the error from the returned promise instead.
    body.catch(() => {});
    return exchange.then(value);
  };
  return Object.assign(body, {
    withResponse: () => derive(({ text: _text, ...received }): ResponseWithMetadata<Data> => received),
    asResponse: () => derive(readable),
    safe: () => settled(body),
  });
}

/** Returns the response with an unread body. Its URL is set afterwards, because the constructor can't set it. */
function readable({ response, text }: ResponseWithText<unknown>): Response {
  const { status, statusText, headers, url } = response;
  // An empty body may have a status that forbids bodies.
  return Object.defineProperty(new Response(text || null, { status, statusText, headers }), 'url', {
    value: url,
  });
}

export const settled = <Data>(call: Promise<Data>): Promise<Result<Data>> =>
  call.then(
    (data): Result<Data> => ({ ok: true, data }),
    // Safe: every rejection of a call is an error of this package.
    (error): Result<Data> => ({ ok: false, error: error as AnyTopupError }),
  );
