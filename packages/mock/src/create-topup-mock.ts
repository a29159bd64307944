import type { SetupWorker } from 'msw/browser';
import type { HttpHandler } from 'msw/http';
import type { SetupServer } from 'msw/node';
import { createHandlers, setupMockServer, setupMockWorker } from './handlers.ts';
import { createMockParts, type MockService } from './mock-service.ts';
import type { MockOptions } from './options.ts';
import { createOverride, type Override } from './override.ts';

export interface TopupMock extends MockService {
  /** MSW handlers, one for each operation: `setupServer(...mock.handlers)`, `setupWorker(...mock.handlers)`. */
  readonly handlers: HttpHandler[];
  /** MSW for Node, made of the handlers; `listen()` is yours to call. */
  server(): Promise<SetupServer>;
  /** MSW for a browser, made of the handlers; `start()` is yours to call. */
  worker(): Promise<SetupWorker>;
  /**
   * An MSW handler that responds in the place of one operation: with a body, an error of the table, or what a function
   * makes of the request. Statuses in a body are this kit's, and sent in the mock's dialect. The key (and Accept, where
   * the dialect requires it) is checked first, as the service does.
   *
   * @throws TypeError when the service has no such operation, or the response is outside the contract; the message names
   * the JSON path. What a function makes is checked at the request, and an error is logged on the console.
   * @example
   * server.use(mock.override('createOrder', { code: 'PAYMENT_FAILED' }));
   */
  override: Override;
}

/**
 * The whole top-up service for a frontend's tests and pages: the server's own code over a memory store. Every mock
 * has a world of its own.
 *
 * @throws TypeError for an unknown option or a value that an option doesn't take, and Error for a catalogue or dialect that
 * breaks its rules.
 * @example
 * const mock = createTopupMock();
 * const server = await mock.server();
 * server.listen();
 * const response = await fetch(`${mock.baseUrl}/games`, { headers: { 'X-API-KEY': mock.apiKey } });
 */
export function createTopupMock(options: MockOptions = {}): TopupMock {
  const { config, exchange, service } = createMockParts(options);
  const handlers = createHandlers(config, exchange);
  return Object.assign(service, {
    handlers,
    server: () => setupMockServer(handlers),
    worker: () => setupMockWorker(handlers),
    override: createOverride(config, exchange),
  });
}
