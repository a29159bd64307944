import { createServer } from 'node:http';
import type { App, AppSettings } from '@topup-kit/core/app';
import type { ServerConfig } from '../config/config.ts';
import type { Variable } from '../config/variable.ts';
import { createBusyResponse } from '../edge/busy-response.ts';
import {
  createClientAddresses,
  createDirectCheck,
  createDirectness,
  warnOfUntrustedProxy,
} from '../edge/client.ts';
import { explainOnce, withHint } from '../edge/client-hints.ts';
import { createCloser } from '../edge/close.ts';
import { TrackedResponse } from '../edge/connections.ts';
import { createRequestListener, createWriter } from '../edge/exchange.ts';
import { installGuard } from '../edge/guard.ts';
import { createListeners, holdRequests } from '../edge/listen.ts';
import { createShedding } from '../edge/load-shedding.ts';
import { createRejectionLog, createShedLog } from '../observability/rejected-requests.ts';
import type { ServerSettings } from './start-settings.ts';

/** Maximum time for a client to send a request, in milliseconds. */
const requestTimeoutMs = 10_000;

/**
 * Time for which an idle connection is kept, in milliseconds. It is longer than the usual minute of proxies and than `Retry-After`, because
 * a request that arrives as the connection closes gets no response.
 */
const keepAliveMs = 65_000;

/** Interval of the check for slow clients, in milliseconds. */
const checkIntervalMs = 1_000;

/** An open port, whose requests wait until the service is ready. */
interface Edge {
  /** URL of the server on this machine. */
  localUrl: string;
  /** Serves the waiting requests, and all later ones. */
  serve(app: Pick<App, 'handle'>, settings: AppSettings): Promise<void>;
  /** Waits for requests in progress, then releases the port. */
  close(): Promise<void>;
}

/** Opens a port, or the sockets that another process opened. */
export async function openEdge(
  { config, dialect, logger, metrics, watch, requests }: ServerSettings,
  {
    host,
    port,
    sockets,
    setting,
  }: Pick<ServerConfig, 'host' | 'port' | 'sockets'> & { setting?: Variable<number> },
  resources: AsyncDisposableStack,
): Promise<Edge> {
  const server = createServer({
    ServerResponse: TrackedResponse,
    // The guard rejects a request without Host like all other malformed requests, because Node's own response has no body.
    requireHostHeader: false,
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkIntervalMs,
  });
  const held = resources.use(holdRequests());
  const listeners = createListeners(server);
  const { write, cutUnread } = createWriter();
  const close = createCloser(server, listeners, { pause: held.pause, cutUnread });
  resources.defer(close);
  const addresses = createClientAddresses(config.trustedProxies ?? []);
  installGuard(server, {
    held,
    write,
    report: createRejectionLog(logger, metrics.countRequest),
    isFromProxy: addresses.isFromProxy,
  });
  const localUrl = sockets ? await listeners.inherit(sockets) : await listeners.open(host, port, setting);

  async function serve(app: Pick<App, 'handle'>, settings: AppSettings): Promise<void> {
    const hasLimits = settings.limits.readsPerMinute + settings.limits.ordersPerMinute > 0;
    const { addressOf, isFromProxy } = hasLimits
      ? warnOfUntrustedProxy(addresses, (...line) => logger.warn(...line))
      : addresses;
    // In live mode, direct requests have no privileges.
    const whyIndirect =
      config.mode === 'sandbox' &&
      createDirectCheck({ localUrl, publicUrl: settings.publicUrl }, isFromProxy);
    const busyResponse = await createBusyResponse(settings, config.corsOrigins);
    const listener = createRequestListener(app, {
      write,
      addressOf,
      isDirect: whyIndirect
        ? createDirectness(
            whyIndirect,
            explainOnce((message) => logger.warn(message)),
          )
        : () => false,
      // Explains a rejected key only if the dialect also sends other extensions.
      explainRejectedKey:
        whyIndirect && dialect.headers.errorCode
          ? (response, request) => withHint(response, request, whyIndirect)
          : undefined,
      observe: requests.observe,
      shed: createShedding({
        connections: server,
        busyResponse,
        report: createShedLog(logger, metrics.countRequest),
      }),
      inRequest: watch?.inRequest,
    });
    held.release(listener);
  }

  return { localUrl, serve, close };
}
