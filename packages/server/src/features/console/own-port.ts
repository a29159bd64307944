import {
  type App,
  type AppSettings,
  createRequestIds,
  isRouteOrChild,
  notFoundResponse,
  ownPaths,
  type PlainResponse,
  pathOf,
} from '@topup-kit/core/app';
import { chooseLocale, headers } from '@topup-kit/core/contract';
import { secureRandom } from '@topup-kit/core/platform';

type Handle = Pick<App, 'handle'>;

const toConsole: PlainResponse = { status: 303, headers: { Location: ownPaths.console }, body: '' };

/** Splits an app whose console has its own port. Each port responds 404 for the other's paths. */
export function splitApp(app: Handle, settings: AppSettings): { console: Handle; others: Handle } {
  const nextRequestId = createRequestIds(secureRandom);
  const part = (choose: (path: string) => PlainResponse | 'served' | 'missing'): Handle => ({
    async handle(request, connection, record) {
      const chosen = choose(pathOf(request.target));
      if (chosen === 'served') return app.handle(request, connection, record);
      const requestId = nextRequestId(request.header(headers.requestId));
      if (record) record.requestId = requestId;
      const locale = chooseLocale(request.header(headers.acceptLanguage), settings.locale);
      const response = chosen === 'missing' ? notFoundResponse(settings, locale) : chosen;
      return { ...response, headers: { ...response.headers, [headers.requestId]: requestId } };
    },
  });
  return {
    console: part((path) => {
      if (path === '/') return toConsole;
      return isRouteOrChild(path, ownPaths.console) ? 'served' : 'missing';
    }),
    others: part((path) => (isRouteOrChild(path, ownPaths.console) ? 'missing' : 'served')),
  };
}
