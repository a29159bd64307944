import { ownPaths } from '@topup-kit/core/app';
import { sandboxKey } from '@topup-kit/core/contract';
import type { PaymentEvent } from '@topup-kit/core/engine';
import type { StoredOrder } from '@topup-kit/core/store';
import { type ServerConfig, settingDefinitions } from '../config/config.ts';
import { site } from '../features/site.ts';
import type { StoreUpgrade } from '../sqlite/index.ts';
import type { ServerOverrides } from './parts.ts';
import { openEdge } from './start-edge.ts';
import { startService } from './start-service.ts';
import { appSettings, prepareSettings, type ServerSettings } from './start-settings.ts';

export interface RunningServer extends AsyncDisposable {
  /** URL of the server on this machine. */
  localUrl: string;
  /** URL of the server for clients. */
  publicUrl: string;
  /** Base URL of the API for clients: `publicUrl` and the base path. */
  baseUrl: string;
  /** URL of the console for operators; null without a console. If the console has its own port, the URL is on this machine. */
  consoleUrl: string | null;
  /** The well-known sandbox key; null in live mode. */
  sandboxKey: string | null;
  /** True if the store was empty and got its first catalogue. */
  seeded: boolean;
  /** The upgrade of an older store before it was served; null if it had the newest format. */
  upgraded: StoreUpgrade | null;
  /**
   * Applies an event of your own payment gateway, and returns its order. Returns null if no order has this payment. The money is then
   * recorded for an operator, unless an order is being created, so let the gateway send the event again.
   */
  handlePaymentEvent(event: PaymentEvent): Promise<StoredOrder | null>;
  /** Waits for requests in progress, then releases the port and the store. */
  close(): Promise<void>;
}

/** Maximum time for the server to stop, in milliseconds, apart from work that can't be interrupted. */
const maxCloseMs = 4_800;

/** Opens the console's own port, if it has one. */
async function openConsoleEdge(prepared: ServerSettings, resources: AsyncDisposableStack) {
  const { host, consolePort } = prepared.config;
  if (consolePort === undefined) return null;
  const setting = settingDefinitions.consolePort;
  if (site.console?.doorOf(prepared.config))
    return openEdge(prepared, { host, port: consolePort, setting }, resources);
  prepared.logger.warn(
    `there is no console, so ${setting.name} is ignored: it needs ${settingDefinitions.console.name}=read or act`,
  );
  return null;
}

/**
 * Starts a server and resolves when it accepts requests.
 *
 * @throws ConfigError if a setting or an adapter is invalid, or two adapters have the same name; StoreFileError if the store file can't
 * be used.
 * @example
 * await using server = await startServer(readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0' }));
 * await fetch(`${server.baseUrl}/games`, { headers: { 'X-API-KEY': server.sandboxKey } });
 */
export async function startServer(
  config: ServerConfig,
  ownParts: ServerOverrides = {},
): Promise<RunningServer> {
  const prepared = await prepareSettings(config, ownParts);
  const { parts, logger, watch } = prepared;
  await using resources = new AsyncDisposableStack();
  // Opened before the store, so that a server whose port is taken creates no file.
  const edge = await openEdge(prepared, config, resources);
  const consoleEdge = await openConsoleEdge(prepared, resources);
  const settings = appSettings(prepared, config.publicUrl ?? edge.localUrl);
  const consoleUrl = site.console?.doorOf(config)
    ? (consoleEdge?.localUrl ?? settings.publicUrl) + ownPaths.console
    : null;
  const closing = new AbortController();
  const { service, seeded, upgraded } = await startService(
    prepared,
    { settings, consoleUrl, closing: closing.signal },
    resources,
  );
  if (consoleEdge && site.console) {
    const { console, others } = site.console.split(service.app, settings);
    await consoleEdge.serve(console, settings);
    await edge.serve(others, settings);
  } else await edge.serve(service.app, settings);
  const baseUrl = settings.publicUrl + settings.basePath;
  logger.info(
    {
      baseUrl,
      ...(consoleUrl !== null && { console: consoleUrl }),
      mode: config.mode,
      gateway: parts.gateway?.name,
      supplier: parts.supplier?.name,
      ...(parts.otherSuppliers?.length && { otherSuppliers: parts.otherSuppliers.map(({ name }) => name) }),
    },
    'the server is ready',
  );

  const owned = resources.move();
  const close = async (): Promise<void> => {
    closing.abort();
    const end = performance.now() + maxCloseMs;
    // The edge is closed first, because requests in progress need everything that is disposed of later.
    await Promise.all([edge.close(), consoleEdge?.close()]);
    await owned.disposeAsync();
    await watch?.close(end - performance.now());
    logger.info('the server stopped');
  };
  return {
    localUrl: edge.localUrl,
    publicUrl: settings.publicUrl,
    baseUrl,
    consoleUrl,
    sandboxKey: config.mode === 'sandbox' ? sandboxKey : null,
    seeded,
    upgraded,
    handlePaymentEvent: service.handlePaymentEvent,
    close,
    [Symbol.asyncDispose]: close,
  };
}
