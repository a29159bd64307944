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
import { admit, type RequestGuard } from './auth.ts';
import { missingAcceptResponse, responseTranslator } from './dialect.ts';
import { errorResponse, toDomainError } from './errors.ts';
import { noResponse, type PlainResponse, type RequestContext, type RequestRecord } from './http.ts';
import type { OperationHandler, Tools } from './operation.ts';
import { createRevalidation } from './revalidation.ts';
import type { CallControl } from './room.ts';
import type { MatchedOperation } from './router.ts';
import { checkAccount, getCheckout, getGame, listGames, validatePromo } from './routes/catalog.ts';
import { createOrder, idempotencyEcho } from './routes/create-order.ts';
import { getInvoice, getPaymentStatus, listEvents, listOrders } from './routes/orders.ts';

/** Handles requests to operations: checks access, runs the operation, and returns its response or an error response. */
export interface Pipeline {
  operate(matched: MatchedOperation, context: RequestContext): Promise<PlainResponse>;
  /** Returns the response for an error. The dialect applies only within the interface. */
  handleError(error: unknown, context: RequestContext, outside?: OutsideRequest): PlainResponse;
}

export function createPipeline(
  tools: Tools,
  deps: {
    guard: RequestGuard;
    fault?: (record: RequestRecord) => DomainError | undefined;
    calls?: CallControl | undefined;
    reportError?: (error: unknown, requestId: string) => void;
  },
): Pipeline {
  const { settings, dialect } = tools;
  const { calls } = deps;
  const translated = responseTranslator(dialect);
  const revalidated = createRevalidation(tools.hash, dialect);
  const shapes = { interface: errorShapes(dialect), other: errorShapes(kitDialect) };

  const handlers: Record<Operation, OperationHandler> = {
    listGames: revalidated(listGames(tools)),
    getGame: revalidated(translated('getGame', getGame(tools))),
    getCheckout: revalidated(translated('getCheckout', getCheckout(tools))),
    createOrder: createOrder(tools),
    listOrders: translated('listOrders', listOrders(tools)),
    getInvoice: translated('getInvoice', getInvoice(tools)),
    getPaymentStatus: translated('getPaymentStatus', getPaymentStatus(tools)),
    validatePromo: validatePromo(tools),
    checkAccount: checkAccount(tools),
    listEvents: listEvents(tools),
  };

  function handleError(
    error: unknown,
    { record, locale, fieldLocale }: RequestContext,
    outside?: OutsideRequest,
  ): PlainResponse {
    const domainError = toDomainError(error);
    const { cause } = domainError;
    record.errorCode = domainError.code;
    record.orderId ??= domainError.orderId;
    if (errors[domainError.code].status >= 500 && !(cause instanceof StoreError && cause.isReported)) {
      record.error = cause ?? domainError;
      deps.reportError?.(record.error, record.requestId);
    }
    const shapeOf = outside ? shapes.other : shapes.interface;
    const language = isAboutFields(domainError.code) ? fieldLocale : locale;
    return errorResponse(domainError, shapeOf(domainError.code), { ...settings, locale: language }, outside);
  }

  return {
    handleError,
    async operate({ operation, parameters }, context) {
      const { request, locale, record, own } = context;
      record.operation = operation;
      try {
        const rejection = dialect.acceptRequired && missingAcceptResponse(request.header('Accept'), locale);
        if (rejection) return rejection;
        const fault = deps.fault?.(record);
        if (fault) throw fault;
        const key = request.header(headers.apiKey);
        const { caller, headers: limits } = await admit(deps.guard, routes[operation], key, context);
        const call = { request, caller, locale, parameters, record };
        const isAsIs =
          !calls || (!calls.state.isOn && calls.headers.every((name) => request.header(name) === null));
        const response = await (isAsIs
          ? handlers[operation](call)
          : calls.around(operation, call, () => handlers[operation](call)));
        if (response !== noResponse) Object.assign(own, limits);
        return response;
      } catch (error) {
        return handleError(error, context);
      } finally {
        own[headers.idempotencySupported] = 'true';
        if (operation === 'createOrder') Object.assign(own, idempotencyEcho(request));
      }
    },
  };
}
