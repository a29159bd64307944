import { operations, routes } from '@topup-kit/core/contract';
import { type HttpHandler, http } from 'msw/http';
import type { MockService } from './mock-service.ts';

/** `/games/{slug}` as MSW writes it. */
const mswPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

const byMethod = { GET: http.get, POST: http.post };

/**
 * One handler for each operation, one for whatever else is asked of the interface, which the service refuses as it
 * does anywhere, and those for the pictures that answers point to.
 */
export function createHandlers(service: MockService): HttpHandler[] {
  const { origin } = new URL(service.baseUrl);
  const answer = ({ request }: { request: Request }): Promise<Response> => service.fetch(request);
  return [
    ...operations.map((operation) => {
      const { method, path } = routes[operation];
      return byMethod[method](service.baseUrl + mswPath(path), answer);
    }),
    http.all(`${service.baseUrl}/*`, answer),
    http.get(`${origin}/assets/*`, answer),
    http.get(`${origin}/pay/:reference/qr.svg`, answer),
  ];
}
