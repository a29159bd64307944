import {
  errorShapes,
  errors,
  headers,
  isAboutFields,
  kitDialect,
  type Operation,
  type OutsideRequest,
  routes,
} from '../contract/index.ts';
import type { Caller, DomainError } from '../engine/index.ts';
import { StoreError } from '../store/index.ts';
import { admit, type Gate } from './auth.ts';
import { responseTranslator } from './dialect.ts';
import { errorResponse, toDomainError } from './errors.ts';
import type { PlainResponse, RequestContext } from './http.ts';
import { idempotencyEcho } from './idempotency.ts';
import type { OperationHandler, Tools } from './operation.ts';
import { createRevalidation } from './revalidation.ts';
import { createOrder } from './routes/create-order.ts';
import { getCheckout } from './routes/get-checkout.ts';
import { getGame } from './routes/get-game.ts';
import { getInvoice } from './routes/get-invoice.ts';
import { getPaymentStatus } from './routes/get-payment-status.ts';
import { listGames } from './routes/list-games.ts';
import { validatePromo } from './routes/validate-promo.ts';

/** The headers of a request that are checked for every operation. */
interface CheckedHeaders {
  key: string | null;
  ifNoneMatch: string | null | undefined;
}

/** Handles the requests to the interface: access checks, the operation, then the response or the error response. */
export interface Pipeline {
  operate(
    operation: Operation,
    request: Request,
    parameters: Record<string, string>,
    context: RequestContext,
  ): Promise<PlainResponse>;
  /** `operate('listGames', ...)` for a host without a Request. */
  listGames(sent: CheckedHeaders, context: RequestContext): Promise<PlainResponse>;
  /** The response for an error. The dialect applies only within the interface. */
  handleError(error: unknown, context: RequestContext, outside?: OutsideRequest): PlainResponse;
}

export function createPipeline(
  tools: Tools,
  deps: {
    gate: Gate;
    fault?: (operation: Operation, request: Request) => DomainError | undefined;
    reportError?: (error: unknown, requestId: string) => void;
  },
): Pipeline {
  const { settings, dialect } = tools;
  const translate = responseTranslator(dialect);
  const revalidate = createRevalidation(tools.hash, dialect);
  const shapes = { interface: errorShapes(dialect), other: errorShapes(kitDialect) };

  const listAllGames = listGames(tools);
  const handlers: Record<Operation, OperationHandler> = {
    listGames: listAllGames,
    getGame: getGame(tools),
    getCheckout: getCheckout(tools),
    createOrder: createOrder(tools),
    getInvoice: getInvoice(tools),
    getPaymentStatus: getPaymentStatus(tools),
    validatePromo: validatePromo(tools),
  };

  function handleError(
    error: unknown,
    { facts, locale, fieldLocale }: RequestContext,
    outside?: OutsideRequest,
  ): PlainResponse {
    const domainError = toDomainError(error);
    const { cause } = domainError;
    facts.errorCode = domainError.code;
    facts.orderId ??= domainError.orderId;
    if (errors[domainError.code].status >= 500 && !(cause instanceof StoreError && cause.isReported)) {
      facts.error = cause ?? domainError;
      deps.reportError?.(facts.error, facts.requestId);
    }
    const shapeOf = outside ? shapes.other : shapes.interface;
    const language = isAboutFields(domainError.code) ? fieldLocale : locale;
    return errorResponse(domainError, shapeOf(domainError.code), { ...settings, locale: language }, outside);
  }

  /** Checks access and runs the operation. */
  async function run(
    operation: Operation,
    { key, ifNoneMatch }: CheckedHeaders,
    context: RequestContext,
    handle: (caller: Caller) => Promise<PlainResponse>,
  ): Promise<PlainResponse> {
    context.facts.operation = operation;
    const { caller, headers: limits } = await admit(deps.gate, routes[operation], key, context);
    const translated = translate(operation, await handle(caller));
    const response = revalidate(operation, translated, ifNoneMatch);
    return { ...response, headers: { ...response.headers, ...limits } };
  }

  return {
    handleError,
    async operate(operation, request, parameters, context) {
      const { locale, facts } = context;
      facts.operation = operation;
      const perform = async (): Promise<PlainResponse> => {
        const fault = deps.fault?.(operation, request);
        if (fault) throw fault;
        const sent = {
          key: request.headers.get(headers.apiKey),
          ifNoneMatch: request.headers.get(headers.ifNoneMatch),
        };
        return run(operation, sent, context, (caller) =>
          handlers[operation]({ request, caller, locale, parameters, facts }),
        );
      };
      const response = await perform().catch((error: unknown) => handleError(error, context));
      const echo = operation === 'createOrder' ? idempotencyEcho(request) : {};
      return { ...response, headers: { ...response.headers, ...echo } };
    },
    listGames: (sent, context) =>
      run('listGames', sent, context, listAllGames).catch((error: unknown) => handleError(error, context)),
  };
}
