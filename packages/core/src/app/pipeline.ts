import { errorShapes, errors, headers, kitDialect, type Operation, routes } from '../contract/index.ts';
import { Refusal } from '../engine/index.ts';
import type { Clock } from '../platform/index.ts';
import { admit, type Connection } from './admission.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import { answerTranslator } from './dialect/translate-answer.ts';
import { errorAnswer } from './errors.ts';
import { idempotencyEcho } from './idempotency.ts';
import type { OperationHandler, Tools } from './operation.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { createOrder } from './routes/create-order.ts';
import { getCheckout } from './routes/get-checkout.ts';
import { getGame } from './routes/get-game.ts';
import { getInvoice } from './routes/get-invoice.ts';
import { getPaymentStatus } from './routes/get-payment-status.ts';
import { listGames } from './routes/list-games.ts';
import { validatePromo } from './routes/validate-promo.ts';

/** What is known of a request besides the request itself. */
export interface Arrival {
  connection: Connection;
  requestId: string;
}

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
  const rateLimiter = createRateLimiter({ reads: readsPerMinute, orders: ordersPerMinute }, deps.realClock);
  const guard = { keys: engine.keys, rateLimiter };
  const translate = answerTranslator(dialect);
  const shapes = { interface: errorShapes(dialect), beside: errorShapes(kitDialect) };

  const handlers: Record<Operation, OperationHandler> = {
    listGames: listGames(tools),
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

  async function answered(requestId: string, work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      return refuse(error, requestId, 'interface');
    }
  }

  return {
    refuse,
    async operate(operation, request, parameters, { connection, requestId }) {
      const answer = await answered(requestId, async () => {
        const fault = deps.fault?.(operation, request);
        if (fault) throw fault;
        const key = request.headers.get(headers.apiKey);
        const { caller, headers: told } = await admit(guard, routes[operation], key, connection);
        const given = translate(operation, await handlers[operation]({ request, caller, parameters }));
        return { ...given, headers: { ...given.headers, ...told } };
      });
      const echo = operation === 'createOrder' ? idempotencyEcho(request) : {};
      return { ...answer, headers: { ...answer.headers, ...echo } };
    },
    listGames: (key, { connection, requestId }) =>
      answered(requestId, async () => {
        const { headers: told } = await admit(guard, routes.listGames, key, connection);
        return jsonAnswer(200, tools.gameList(await engine.catalog()), told);
      }),
  };
}
