import type { HttpHandler } from 'msw';
import type { SetupWorker } from 'msw/browser';
import type { SetupServer } from 'msw/node';
import { createHandlers, setupMockServer, setupMockWorker } from './handlers.ts';
import { createMockParts, type MockService } from './mock-service.ts';
import type { MockOptions } from './options.ts';
import { createOverride, type Override } from './override.ts';

/** The mock with MSW: the service within this process, and its handlers. */
export interface TopupMock extends MockService {
  /** MSW handlers, one for each operation: `setupServer(...mock.handlers)`, `setupWorker(...mock.handlers)`. */
  readonly handlers: HttpHandler[];
  /** Sets up MSW for Node with the handlers. Call `listen()` on the result. */
  server(): Promise<SetupServer>;
  /** Sets up MSW for a browser with the handlers. Call `start()` on the result. */
  worker(): Promise<SetupWorker>;
  /**
   * Creates an MSW handler that replaces the response of one operation: with a body, an error code, or the result of a function that gets
   * the request. Use this kit's names for order statuses; the mock translates them to its dialect. Like the service, the handler checks the
   * key first (and `Accept`, if the dialect requires it).
   *
   * @throws TypeError if the service doesn't have the operation, or the response violates the contract; the message names the JSON path. A
   * function's result is checked at the request, and an error is logged on the console.
   * @example
   * server.use(mock.override('createOrder', { code: 'PAYMENT_FAILED' }));
   */
  override: Override;
}

/**
 * Creates the whole top-up service for a frontend's tests and pages: the server's own code with a store in memory. Each mock has its own
 * orders, clock, scenarios and catalogue (its world).
 *
 * @throws TypeError for an unknown option, an invalid value, or an environment without `Request` and the like, and Error for an invalid
 * catalogue or dialect.
 * @example
 * const mock = createTopupMock();
 * const server = await mock.server();
 * server.listen();
 * const response = await fetch(`${mock.baseUrl}/games`, { headers: { 'X-API-KEY': mock.apiKey } });
 */
export function createTopupMock(options: MockOptions = {}): TopupMock {
  const { config, exchange, service } = createMockParts(options, 'createTopupMock');
  let handlers: HttpHandler[] | undefined;
  // Handlers are created on first use, so that the rest of the mock works if MSW can't be loaded.
  const getHandlers = (): HttpHandler[] => {
    handlers ??= createHandlers(config, exchange);
    return handlers;
  };
  const mock = Object.assign(service, {
    server: async () => setupMockServer(getHandlers()),
    worker: async () => setupMockWorker(getHandlers()),
    override: createOverride(config, exchange),
  });
  Object.defineProperty(mock, 'handlers', { get: getHandlers, enumerable: true });
  // Safe: the property that was missing is defined above.
  return mock as TopupMock;
}
