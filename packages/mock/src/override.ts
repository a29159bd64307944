import { defaultLimits } from '@topup-kit/core/app';
import {
  type Answers,
  commonErrors,
  type Dialect,
  type ErrorCode,
  type ErrorDefinition,
  errors,
  type FieldErrors,
  type FieldRule,
  normaliseFields,
  type Operation,
  operations,
  orderFields,
  promoFields,
  type Route,
  routes,
  servedOperations,
  validateFields,
} from '@topup-kit/core/contract';
import { Refusal, type Words } from '@topup-kit/core/engine';
import type { HttpHandler } from 'msw/http';
import { tellError } from './console.ts';
import type { Exchange } from './exchange.ts';
import { mswMethods, mswRoute } from './handlers.ts';
import type { MockConfig } from './options.ts';
import { checkAnswer } from './response-check.ts';
import { AskedForError } from './scenario-effects.ts';

/** An error of the table, answered as the service answers it. */
export interface ErrorOverride {
  code: ErrorCode;
  /** For whoever reads the test; it must be the one that the code has. */
  status?: number;
}

/** What an operation is to answer: a body as the contract has it, or an error. */
export type OverrideAnswer<Name extends Operation> = Answers[Name] | ErrorOverride;

/** Makes an MSW handler for `server.use()`, in the place of one operation. */
export type Override = <Name extends Operation>(
  operation: Name,
  answer: OverrideAnswer<Name> | ((request: Request) => OverrideAnswer<Name> | Promise<OverrideAnswer<Name>>),
) => HttpHandler;

const isError = (answer: object): answer is ErrorOverride => 'code' in answer;

function checkError(operation: Operation, { code, status }: ErrorOverride): void {
  const definition: ErrorDefinition | undefined = Object.hasOwn(errors, code) ? errors[code] : undefined;
  const { errors: own }: Route = routes[operation];
  const possible: readonly ErrorCode[] = [...commonErrors, ...own, 'UNAVAILABLE'];
  if (!definition || !possible.includes(code))
    throw new TypeError(`${operation} is never answered with ${code}; it knows ${possible.join(', ')}.`);
  if (status !== undefined && status !== definition.status)
    throw new TypeError(`${code} has the status ${definition.status}, not ${status}.`);
}

function described(answer: unknown): string {
  if (answer instanceof Response) return "a Response (for one, take MSW's own http.get or http.post)";
  return typeof answer === 'function' ? 'a function' : (JSON.stringify(answer) ?? String(answer));
}

const isPlain = (answer: unknown): answer is object =>
  typeof answer === 'object' && answer !== null && !Array.isArray(answer) && !(answer instanceof Response);

function check(operation: Operation, answer: unknown): asserts answer is object {
  if (!isPlain(answer))
    throw new TypeError(
      `An override of ${operation} takes a body of it, { code } of an error, or a function of the request that gives one of them; got ${described(answer)}.`,
    );
  if (isError(answer)) checkError(operation, answer);
  else checkAnswer(operation, answer);
}

export function createOverride(config: MockConfig, exchange: Exchange): Override {
  const { dialect } = config;
  const served = servedOperations(dialect);

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

  function speak(operation: Operation, answer: object): Response | Refusal {
    if (isError(answer)) return exampleRefusal(operation, answer.code);
    return Response.json(inDialect(dialect, answer), {
      status: routes[operation].success,
      headers: { 'Cache-Control': 'no-store' },
    });
  }

  return (operation, answer) => {
    checkOperation(operation);
    const make = typeof answer === 'function' ? answer : undefined;
    // What is there already is checked where it stands, not when the request comes.
    if (!make) check(operation, answer);
    const stand = async (request: Request): Promise<Response | Refusal> => {
      const made: unknown = make ? await make(request.clone()) : answer;
      check(operation, made);
      return speak(operation, made);
    };
    return mswMethods[routes[operation].method](mswRoute(config, operation), async ({ request }) => {
      try {
        return await exchange(request, stand);
      } catch (error) {
        // MSW makes a 500 of it, which an app under test may well handle in silence.
        if (!request.signal.aborted) tellError(error);
        throw error;
      }
    });
  };
}

function exampleWords(operation: Operation, code: ErrorCode): Words {
  switch (code) {
    case 'FORBIDDEN':
      return { scope: routes[operation].scope };
    case 'PROMO_MINIMUM':
      return { minimum: { money: 50_000 } };
    case 'PROMO_NOT_ELIGIBLE':
      return { subject: { subject: 'paymentMethod' } };
    case 'PAYMENT_LIMIT':
      return { method: 'BRI Virtual Account', minimum: { money: 10_000 }, maximum: { money: 10_000_000 } };
    case 'PAYLOAD_TOO_LARGE':
      return { maximum: String(defaultLimits.bodyBytes) };
    default:
      return {};
  }
}

/** What an empty body, or one that is no JSON, is told. */
function exampleFields(operation: Operation, code: ErrorCode): FieldErrors | undefined {
  if (code === 'MALFORMED_JSON') return { body: ['The request body must be valid JSON.'] };
  if (code !== 'VALIDATION_ERROR') return undefined;
  const rules: readonly FieldRule[] = operation === 'createOrder' ? orderFields : promoFields;
  const checked = validateFields(rules, normaliseFields(rules, {}), defaultLimits);
  return 'errors' in checked ? checked.errors : {};
}

/** A refusal with an error of the table, with words such as an occasion for it would give. */
export function exampleRefusal(operation: Operation, code: ErrorCode): Refusal {
  const fields = exampleFields(operation, code);
  return new Refusal(code, {
    words: exampleWords(operation, code),
    ...(fields && { fields }),
    cause: new AskedForError(`override ${code}`),
  });
}

/** A body in this kit's words with the names that a dialect has for its statuses. */
export function inDialect({ paymentStatuses, buyStatuses }: Dialect, body: object): object {
  const names: Record<string, ReadonlyMap<unknown, string>> = {
    payment_status: new Map(Object.entries(paymentStatuses)),
    buy_status: new Map(Object.entries(buyStatuses)),
  };
  return JSON.parse(JSON.stringify(body, (key, value: unknown) => names[key]?.get(value) ?? value));
}
