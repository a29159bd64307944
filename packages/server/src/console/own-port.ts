import {
  type App,
  type AppSettings,
  createRequestIds,
  isBelow,
  notFoundResponse,
  ownPaths,
  type PlainResponse,
  pathOf,
} from '@topup-kit/core/app';
import { chooseLocale, headers } from '@topup-kit/core/contract';
import { secureRandom } from '@topup-kit/core/platform';

type Handle = Pick<App, 'handle'>;

/** What a path is once ASCII characters that need no encoding are decoded, as the router does. */
const decoded = (path: string): string =>
  path.replaceAll(/%([0-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const toConsole: PlainResponse = { status: 303, headers: { Location: ownPaths.console }, body: '' };

/** Splits an app whose console has a port of its own: what each of the two ports serves. Anything else is not found there. */
export function splitApp(app: Handle, settings: AppSettings): { console: Handle; others: Handle } {
  const nextRequestId = createRequestIds(secureRandom);
  const part = (choose: (path: string) => PlainResponse | 'served' | 'missing'): Handle => ({
    async handle(request, connection, facts) {
      const chosen = choose(pathOf(request.target));
      if (chosen === 'served') return app.handle(request, connection, facts);
      const requestId = nextRequestId(request.header(headers.requestId));
      if (facts) facts.requestId = requestId;
      const locale = chooseLocale(request.header(headers.acceptLanguage), settings.locale);
      const response = chosen === 'missing' ? notFoundResponse(settings, locale) : chosen;
      return { ...response, headers: { ...response.headers, [headers.requestId]: requestId } };
    },
  });
  return {
    console: part((path) => {
      if (path === '/') return toConsole;
      return isBelow(path, ownPaths.console) ? 'served' : 'missing';
    }),
    others: part((path) => (isBelow(decoded(path), ownPaths.console) ? 'missing' : 'served')),
  };
}
