import { type Method, TopupUsageError } from '../errors/index.ts';
import type { RequestMetadata } from '../errors/topup-error.ts';
import type { CustomRequestOptions } from '../options.ts';
import { callOptionNames, checkChoice, checkNames, type NamesOf } from '../request/check-options.ts';
import type { ResponseWithText, TopupCall } from '../results.ts';
import { asCall } from '../sending/call.ts';
import type { Config } from '../sending/config.ts';
import { responseError } from '../sending/error-response.ts';
import { send } from '../sending/send.ts';

/** A schema of any library with Standard Schema (zod, Valibot, ArkType). It parses the JSON of a response. */
export interface ResponseSchema<Output> {
  readonly '~standard': {
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
  };
}

/** The result of a `ResponseSchema`: the parsed value, or the issues. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One difference between a response and a `ResponseSchema`. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type SchemaOptions = CustomRequestOptions & { schema?: ResponseSchema<unknown> | undefined };

/** The type of `client.request`, which calls routes that have no method of their own. */
export interface RequestFunction {
  /**
   * Calls a route of the service that has no method of its own, and resolves with the JSON of the response (undefined if it is empty). The
   * path is relative to `baseUrl` and may have a query. The key, the time limits and the errors are the same as for other calls. A GET is
   * retried like any read. Other methods are retried only if the service can't have handled the request (no connection, 429, 503). Without
   * a clear response, they reject with a `TopupUnknownOutcomeError`.
   *
   * With a `schema`, the result is its output. A response that does not match rejects with a `TopupResponseError`, code `INVALID_RESPONSE`.
   *
   * @example
   * ```ts
   * const report = await client.request<{ games: unknown[] }>('GET', '/games?active=1');
   * console.log(report.games.length);
   * ```
   */
  <Output>(
    method: Method,
    path: string,
    options: CustomRequestOptions & { schema: ResponseSchema<Output> },
  ): TopupCall<Output>;
  <Data = unknown>(
    method: Method,
    path: string,
    options?: CustomRequestOptions & { schema?: undefined },
  ): TopupCall<Data>;
}

const optionNames: NamesOf<SchemaOptions> = {
  ...callOptionNames,
  body: true,
  idempotencyKey: true,
  schema: true,
};

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function createRequest(config: Config): RequestFunction {
  const request = async (
    method: Method,
    path: string,
    options: SchemaOptions = {},
  ): Promise<ResponseWithText<unknown>> => {
    const metadata = { operation: 'request' } as const;
    checkNames(options, optionNames, metadata);
    checkChoice('method', method, methods, metadata);
    if (!isBelow(path))
      throw new TopupUsageError(
        'INVALID_REQUEST',
        'the path must start with / and stay below baseUrl, with no space, # or \\ (use encodeURIComponent).',
        metadata,
      );
    const { schema, body } = options;
    if (method === 'GET' && (body ?? options.idempotencyKey) !== undefined)
      throw new TopupUsageError('INVALID_REQUEST', 'a GET has neither body nor idempotencyKey.', metadata);
    return send(
      { ...metadata, method, path, body, options },
      config,
      schema &&
        (async (data, response, requestFacts) => {
          const result = await validate(schema, data, requestFacts);
          if (!result.issues) return result.value;
          const place = placeOf(result.issues[0]);
          throw responseError(
            response,
            requestFacts,
            `a body that the schema rejects at ${place}`,
            'See error.cause.',
            { code: 'INVALID_RESPONSE', path: place, body: data, cause: result.issues },
          );
        }),
    );
  };
  // Safe: without a schema, the caller chooses the type of the data.
  return ((...given: Parameters<typeof request>) => asCall(request(...given))) as RequestFunction;
}

async function validate(
  schema: ResponseSchema<unknown>,
  data: unknown,
  metadata: RequestMetadata,
): Promise<SchemaResult<unknown>> {
  try {
    return await schema['~standard'].validate(data);
  } catch (error) {
    throw new TopupUsageError('HOOK_FAILED', 'the schema threw, see error.cause.', metadata, error);
  }
}

/** Tells whether a path belongs to the service: URLs resolve `..` even when encoded. */
const isBelow = (path: string): boolean =>
  typeof path === 'string' &&
  /^\/[^#\s\\]*$/.test(path) &&
  !/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path.replace(/\?.*/, ''));

const placeOf = (issue: SchemaIssue | undefined): string =>
  ['$', ...(issue?.path ?? []).map((part) => (typeof part === 'object' ? part.key : part))]
    .map(String)
    .join('.');
