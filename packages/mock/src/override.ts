import {
  type ErrorCode,
  type ErrorDefinition,
  errors,
  errorsOf,
  type Operation,
  operations,
  type Responses,
  routes,
  servedOperations,
  statusReplacer,
} from '@topup-kit/core/contract';
import type { DomainError } from '@topup-kit/core/engine';
import { intendedError } from '@topup-kit/core/features/sandbox';
import type { HttpHandler } from 'msw';
import { logError } from './console.ts';
import type { Exchange } from './exchange.ts';
import { mswMethods, mswRoute, unlessAborted } from './handlers.ts';
import { suggestion } from './known-names.ts';
import type { MockConfig } from './options.ts';
import { checkResponse } from './response-check.ts';

/** An error response with the service's body for the code. */
export interface ErrorOverride {
  code: ErrorCode;
  /** Optional, for readers of the test. It must equal the code's status. */
  status?: number;
}

/** The response of an operation: a success body, or an error. */
export type OverrideResponse<Name extends Operation> = Responses[Name] | ErrorOverride;

/** Creates an MSW handler for `server.use()` that replaces the response of one operation. */
export type Override = <Name extends Operation>(
  operation: Name,
  response:
    | OverrideResponse<Name>
    | ((request: Request) => OverrideResponse<Name> | Promise<OverrideResponse<Name>>),
) => HttpHandler;

const isError = (response: object): response is ErrorOverride => 'code' in response;

function checkError(operation: Operation, { code, status }: ErrorOverride): void {
  const definition: ErrorDefinition | undefined = Object.hasOwn(errors, code) ? errors[code] : undefined;
  const possible = errorsOf(operation);
  if (!definition || !possible.includes(code))
    throw new TypeError(`${operation} can't fail with ${code}. Its errors: ${possible.join(', ')}.`);
  if (status !== undefined && status !== definition.status)
    throw new TypeError(`${code} has the status ${definition.status}, not ${status}.`);
}

/** Checks the shape and not the class, because a test environment may have several classes named Response. */
const isResponse = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'headers' in value && 'bodyUsed' in value;

function describeValue(response: unknown): string {
  if (isResponse(response)) return "a Response (to return one, use MSW's http.get or http.post)";
  return typeof response === 'function' ? 'a function' : (JSON.stringify(response) ?? String(response));
}

const isPlain = (response: unknown): response is object =>
  typeof response === 'object' && response !== null && !Array.isArray(response) && !isResponse(response);

function check(operation: Operation, response: unknown): asserts response is object {
  if (!isPlain(response))
    throw new TypeError(
      `An override of ${operation} must be its response body, { code } of an error, or a function that returns one of them; got ${describeValue(response)}.`,
    );
  if (isError(response)) checkError(operation, response);
  else checkResponse(operation, response);
}

export function createOverride(config: MockConfig, exchange: Exchange): Override {
  const { dialect } = config;
  const served = servedOperations(dialect);
  const replaceStatus = statusReplacer(dialect);

  function checkOperation(operation: Operation): void {
    if (!operations.includes(operation))
      throw new TypeError(
        `unknown operation ${JSON.stringify(operation)}. ${suggestion(operation, operations, 'operations')}`,
      );
    if (!served.includes(operation))
      throw new TypeError(
        `${operation} is an extension that this service does not have (its profile or dialect); it has ${served.join(', ')}.`,
      );
  }

  function toResponse(operation: Operation, response: object): Response | DomainError {
    if (isError(response)) return intendedError(operation, response.code, `override ${response.code}`);
    // Only statuses are translated to the dialect. Empty fields stay as written in the test.
    return new Response(JSON.stringify(response, replaceStatus), {
      status: routes[operation].success,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    });
  }

  return (operation, response) => {
    checkOperation(operation);
    const make = typeof response === 'function' ? response : undefined;
    // A fixed response is checked here, so that the stack trace of an error points to the test.
    if (!make) check(operation, response);
    const responder = async (request: Request): Promise<Response | DomainError> => {
      const made: unknown = make ? await make(request.clone()) : response;
      check(operation, made);
      return toResponse(operation, made);
    };
    return mswMethods[routes[operation].method](mswRoute(config, operation), ({ request }) =>
      unlessAborted(request, exchange(request, responder)).catch((error: unknown) => {
        // MSW turns the error into a 500, which the tested app may handle silently.
        logError(error);
        throw error;
      }),
    );
  };
}
