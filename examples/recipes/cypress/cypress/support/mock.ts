import { createMockService } from '@topup-kit/mock/in-process';

/** The whole service, in the browser that runs the tests. Each test starts with fresh state. */
export const mock = createMockService({ auth: 'off' });

/** Lets the service respond to all requests of pages below a path or URL, such as `/api`. */
export function respondBelow(path: string): void {
  cy.intercept(`${path}/**`, async (request) => {
    const { method, headers, body } = request;
    const [, rest] = request.url.split(path, 2);
    // A JSON body is already parsed.
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const init = {
      method,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    };
    try {
      const response = await mock.fetch(
        mock.baseUrl + rest,
        method === 'GET' || method === 'HEAD' ? init : { ...init, body: text },
      );
      request.reply({
        statusCode: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.arrayBuffer(),
      });
    } catch {
      // A lost connection, as in the scenario `offline`.
      request.destroy();
    }
  });
}
