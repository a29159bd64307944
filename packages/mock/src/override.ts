import { defaultLimits } from '@topup-kit/core/app';
import {
  type Answers,
  commonErrors,
  type ErrorCode,
  type ErrorDefinition,
  errors,
  exampleError,
  type Operation,
  operations,
  orderFields,
  promoFields,
  type Route,
  routes,
  servedOperations,
  statusReplacer,
} from '@topup-kit/core/contract';
import { IntendedError, Refusal } from '@topup-kit/core/engine';
import type { HttpHandler } from 'msw/http';
import { logError } from './console.ts';
import type { Exchange } from './exchange.ts';
import { mswMethods, mswRoute } from './handlers.ts';
import type { MockConfig } from './options.ts';
import { checkResponse } from './response-check.ts';

/** An error of the table, sent as the service sends it. */
export interface ErrorOverride {
  code: ErrorCode;
  /** For the reader of the test; it must be the status that the code has. */
  status?: number;
}

/** What an operation responds with: a body as the contract has it, or an error. */
export type OverrideResponse<Name extends Operation> = Answers[Name] | ErrorOverride;

/** Makes an MSW handler for `server.use()`, in the place of one operation. */
export type Override = <Name extends Operation>(
  operation: Name,
  response:
    | OverrideResponse<Name>
    | ((request: Request) => OverrideResponse<Name> | Promise<OverrideResponse<Name>>),
) => HttpHandler;

const isError = (response: object): response is ErrorOverride => 'code' in response;

function checkError(operation: Operation, { code, status }: ErrorOverride): void {
  const definition: ErrorDefinition | undefined = Object.hasOwn(errors, code) ? errors[code] : undefined;
  const { errors: own }: Route = routes[operation];
  const possible: readonly ErrorCode[] = [...commonErrors, ...own, 'UNAVAILABLE'];
  if (!definition || !possible.includes(code))
    throw new TypeError(`${operation} is never answered with ${code}; it knows ${possible.join(', ')}.`);
  if (status !== undefined && status !== definition.status)
    throw new TypeError(`${code} has the status ${definition.status}, not ${status}.`);
}

/** By its shape: a test environment may have more than one class of that name. */
const isResponse = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'headers' in value && 'bodyUsed' in value;

function describeValue(response: unknown): string {
  if (isResponse(response)) return "a Response (for one, take MSW's own http.get or http.post)";
  return typeof response === 'function' ? 'a function' : (JSON.stringify(response) ?? String(response));
}

const isPlain = (response: unknown): response is object =>
  typeof response === 'object' && response !== null && !Array.isArray(response) && !isResponse(response);

function check(operation: Operation, response: unknown): asserts response is object {
  if (!isPlain(response))
    throw new TypeError(
      `An override of ${operation} takes a body of it, { code } of an error, or a function of the request that gives one of them; got ${describeValue(response)}.`,
    );
  if (isError(response)) checkError(operation, response);
  else checkResponse(operation, response);
}

/** An error of the table, with parameters such as the service would give it. */
const exampleFailure = (operation: Operation, code: ErrorCode): Refusal =>
  new Refusal(code, {
    ...exampleError(code, {
      scope: routes[operation].scope,
      fields: operation === 'createOrder' ? orderFields : promoFields,
      limits: defaultLimits,
    }),
    cause: new IntendedError(`override ${code}`),
  });

export function createOverride(config: MockConfig, exchange: Exchange): Override {
  const { dialect } = config;
  const served = servedOperations(dialect);
  const replaceStatus = statusReplacer(dialect);

  function checkOperation(operation: Operation): void {
    if (!operations.includes(operation))
      throw new TypeError(
        `There is no operation ${JSON.stringify(operation)}; there are ${operations.join(', ')}.`,
      );
    if (!served.includes(operation))
      throw new TypeError(
        `${operation} is an extension that this service does not have (its profile or dialect); it has ${served.join(', ')}.`,
      );
  }

  function toResponse(operation: Operation, response: object): Response | Refusal {
    if (isError(response)) return exampleFailure(operation, response.code);
    // Empty fields stay as the test wrote them; only statuses are translated into the dialect.
    return new Response(JSON.stringify(response, replaceStatus), {
      status: routes[operation].success,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    });
  }

  return (operation, response) => {
    checkOperation(operation);
    const make = typeof response === 'function' ? response : undefined;
    // A body is checked at once, so that the error points to the test's own line.
    if (!make) check(operation, response);
    const standIn = async (request: Request): Promise<Response | Refusal> => {
      const made: unknown = make ? await make(request.clone()) : response;
      check(operation, made);
      return toResponse(operation, made);
    };
    return mswMethods[routes[operation].method](mswRoute(config, operation), async ({ request }) => {
      try {
        return await exchange(request, standIn);
      } catch (error) {
        // MSW makes a 500 of it, which an app under test may well handle in silence.
        if (!request.signal.aborted) logError(error);
        throw error;
      }
    });
  };
}
