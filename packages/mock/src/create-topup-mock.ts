import type { HttpHandler } from 'msw/http';
import { createHandlers } from './handlers.ts';
import { createMockService, type MockOptions, type MockService } from './mock-service.ts';

export interface TopupMock extends MockService {
  /** MSW handlers, one for each operation: `setupServer(...mock.handlers)`, `setupWorker(...mock.handlers)`. */
  handlers: HttpHandler[];
}

/**
 * The whole top-up service for a frontend's tests and pages: the server's own code over a memory store and the
 * sandbox catalogue. Every mock has a world of its own.
 *
 * @throws TypeError when `baseUrl` is not a URL.
 * @example
 * const mock = createTopupMock();
 * const server = setupServer(...mock.handlers); // from 'msw/node'
 * server.listen();
 * const answer = await fetch(`${mock.baseUrl}/games`, { headers: { 'X-API-KEY': mock.apiKey } });
 */
export function createTopupMock(options: MockOptions = {}): TopupMock {
  const service = createMockService(options);
  return { ...service, handlers: createHandlers(service) };
}
