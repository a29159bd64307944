import { errorShapes, errors, headers, kitDialect, type Operation, routes } from '../contract/index.ts';
import { type Caller, Refusal } from '../engine/index.ts';
import { createRateLimiter } from '../http/index.ts';
import type { Clock } from '../platform/index.ts';
import { admit } from './auth.ts';
import { answerTranslator } from './dialect.ts';
import { errorAnswer } from './errors.ts';
import type { Answer, Arrival, Connection } from './http.ts';
import { idempotencyEcho } from './idempotency.ts';
import type { OperationHandler, Tools } from './operation.ts';
import { createOrder } from './routes/create-order.ts';
import { getCheckout } from './routes/get-checkout.ts';
import { getGame } from './routes/get-game.ts';
import { getInvoice } from './routes/get-invoice.ts';
import { getPaymentStatus } from './routes/get-payment-status.ts';
import { listGames } from './routes/list-games.ts';
import { validatePromo } from './routes/validate-promo.ts';

/** The way of every request to the interface: admission, its operation, the answer or the refusal. */
export interface Pipeline {
  operate(
    operation: Operation,
    request: Request,
    parameters: Record<string, string>,
    arrival: Arrival,
  ): Promise<Answer>;
  /** `operate('listGames', ...)` for a host that has no Request. */
  listGames(key: string | null, arrival: Arrival): Promise<Answer>;
  /** The answer to whatever went wrong; in this kit's own words beside the interface. */
  refuse(error: unknown, requestId: string, place: 'interface' | 'beside'): Answer;
}

export function createPipeline(
  tools: Tools,
  deps: {
    realClock: Clock;
    fault?: (operation: Operation, request: Request) => Refusal | undefined;
    reportError: (error: unknown, requestId: string) => void;
  },
): Pipeline {
  const { engine, settings, dialect } = tools;
  const { readsPerMinute, ordersPerMinute } = settings.limits;
  const perMinute = { reads: readsPerMinute, orders: ordersPerMinute };
  const gate = { keys: engine.keys, countRequest: createRateLimiter(perMinute, { clock: deps.realClock }) };
  const translate = answerTranslator(dialect);
  const shapes = { interface: errorShapes(dialect), beside: errorShapes(kitDialect) };

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

  function refuse(error: unknown, requestId: string, place: keyof typeof shapes): Answer {
    const refusal = error instanceof Refusal ? error : new Refusal('SERVER_ERROR', { cause: error });
    if (errors[refusal.code].status >= 500) deps.reportError(refusal.cause ?? refusal, requestId);
    return errorAnswer(refusal, shapes[place](refusal.code), settings);
  }

  /** Lets a request in and carries it out. */
  async function carryOut(
    operation: Operation,
    { key, connection }: { key: string | null; connection: Connection },
    work: (caller: Caller) => Promise<Answer>,
  ): Promise<Answer> {
    const { caller, headers: limits } = await admit(gate, routes[operation], key, connection);
    const answer = translate(operation, await work(caller));
    return { ...answer, headers: { ...answer.headers, ...limits } };
  }

  return {
    refuse,
    async operate(operation, request, parameters, { connection, requestId }) {
      const perform = async (): Promise<Answer> => {
        const fault = deps.fault?.(operation, request);
        if (fault) throw fault;
        const key = request.headers.get(headers.apiKey);
        return carryOut(operation, { key, connection }, (caller) =>
          handlers[operation]({ request, caller, parameters }),
        );
      };
      const answer = await perform().catch((error: unknown) => refuse(error, requestId, 'interface'));
      const echo = operation === 'createOrder' ? idempotencyEcho(request) : {};
      return { ...answer, headers: { ...answer.headers, ...echo } };
    },
    listGames: (key, { connection, requestId }) =>
      carryOut('listGames', { key, connection }, listAllGames).catch((error: unknown) =>
        refuse(error, requestId, 'interface'),
      ),
  };
}
