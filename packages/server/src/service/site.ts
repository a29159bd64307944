import type { App, AppSettings, CountByAddress, Site as Router } from '@topup-kit/core/app';
import type { Engine } from '@topup-kit/core/engine';
import type { Clock } from '@topup-kit/core/platform';
import type { Store } from '@topup-kit/core/store';
import type { Logger } from 'pino';
import type { ServerConfig } from '../config/config.ts';
import type { Simulated } from '../features/simulation.ts';
import type { ConsoleDoor } from '../pages/root-page.ts';

export type { Router };

type Handle = Pick<App, 'handle'>;

export interface SiteHost {
  config: ServerConfig;
  store: Store;
  engine: Engine;
  settings: AppSettings;
  url: string;
  /** Sandbox of the world; undefined in live mode. */
  sandbox: Simulated | undefined;
  /** Worlds of a sandbox with a memory store, by their keys, the first world first; empty if there is only one world. */
  worlds: () => readonly { key: string; isShown: boolean }[];
  /** Sends a request to a sandbox's API with the key of its world. The path is below the base path. */
  send: (
    path: string,
    request: { method: string; headers: Record<string, string>; body: string },
  ) => Promise<Response>;
  /** World time in unix milliseconds, for orders. */
  now: Clock;
  /** Real time in unix milliseconds, for callbacks, webhooks, lists and edits. */
  realClock: Clock;
  /** Names of the gateway and the suppliers, the first supplier first. */
  providers: { gateway: string; suppliers: readonly string[] };
  /** Reason why the store rejects writes; null while it accepts them. */
  failure: () => Error | null;
  countServers: () => number;
  /** Aborted when the server begins to stop. */
  closing: AbortSignal | undefined;
  /** Disposed of after the last request and before the store. */
  resources: AsyncDisposableStack | undefined;
  logger: Logger;
  /** Counts a request without a session. */
  count: CountByAddress;
  /** Called if a page could not be rendered, unless the store has already reported the reason. */
  reportError: (error: unknown) => void;
}

/** Pages for operators below `/console`. */
export interface Site {
  /** Returns the access to the pages; null if the settings disable them. */
  doorOf(config: ServerConfig): Omit<ConsoleDoor, 'url'> | null;
  /** Returns the key of the world that a visitor sees, from the visitor's cookies; null for the first world. */
  worldOf(cookies: string | null): string | null;
  /** Splits the content for two ports, if the pages have their own port. */
  split(app: Handle, settings: AppSettings): { console: Handle; others: Handle };
  mount(router: Router, host: SiteHost): void;
}
