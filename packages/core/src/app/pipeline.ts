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
import type { DomainError } from '../engine/index.ts';
import { StoreError } from '../store/index.ts';
import { admit, type Gate } from './auth.ts';
import { headerFilter, missingAcceptResponse, responseTranslator } from './dialect.ts';
import { errorResponse, toDomainError } from './errors.ts';
import type { PlainResponse, RequestContext, RequestFacts, SentRequest } from './http.ts';
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

/** Handles the requests to the interface: access checks, the operation, then the response or the error response. */
export interface Pipeline {
  operate(
    operation: Operation,
    request: SentRequest,
    parameters: Record<string, string>,
    context: RequestContext,
  ): Promise<PlainResponse>;
  /** The response for an error. The dialect applies only within the interface. */
  handleError(error: unknown, context: RequestContext, outside?: OutsideRequest): PlainResponse;
}

export function createPipeline(
  tools: Tools,
  deps: {
    gate: Gate;
    fault?: (facts: RequestFacts) => DomainError | undefined;
    reportError?: (error: unknown, requestId: string) => void;
  },
): Pipeline {
  const { settings, dialect } = tools;
  const translate = responseTranslator(dialect);
  const revalidate = createRevalidation(tools.hash, dialect);
  const filter = headerFilter(dialect, settings.basePath);
  const shapes = { interface: errorShapes(dialect), other: errorShapes(kitDialect) };

  const handlers: Record<Operation, OperationHandler> = {
    listGames: listGames(tools),
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

  return {
    handleError,
    async operate(operation, request, parameters, context) {
      const { locale, facts } = context;
      facts.operation = operation;
      /** Adds the headers that depend on the request, in one copy: most of a response's may be prepared. */
      const finish = (response: PlainResponse, limits?: Record<string, string>): PlainResponse =>
        filter.plain({
          ...response,
          headers: {
            ...response.headers,
            ...limits,
            ...(operation === 'createOrder' && idempotencyEcho(request)),
            [headers.requestId]: facts.requestId,
          },
        });
      try {
        const rejection = dialect.acceptRequired && missingAcceptResponse(request.header('Accept'), locale);
        if (rejection) return finish(rejection);
        const fault = deps.fault?.(facts);
        if (fault) throw fault;
        const key = request.header(headers.apiKey);
        const { caller, headers: limits } = await admit(deps.gate, routes[operation], key, context);
        const handled = await handlers[operation]({ request, caller, locale, parameters, facts });
        return finish(revalidate(operation, translate(operation, handled), request), limits);
      } catch (error) {
        return finish(handleError(error, context));
      }
    },
  };
}
