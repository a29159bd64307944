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
  /** The sandbox of the world; undefined in live mode. */
  sandbox: Simulated | undefined;
  /** The worlds of a sandbox with a memory store, by their keys, the first one first; empty with only one world. */
  worlds: () => readonly { key: string; isShown: boolean }[];
  /** Sends a request to a sandbox's interface with the key of its world, by its path below the base path. */
  send: (
    path: string,
    request: { method: string; headers: Record<string, string>; body: string },
  ) => Promise<Response>;
  /** World time in unix milliseconds, for orders. */
  now: Clock;
  /** Real time in unix milliseconds, for callbacks, webhooks, lists and edits. */
  realClock: Clock;
  /** Names of the gateway and the suppliers, the first one first. */
  providers: { gateway: string; suppliers: readonly string[] };
  /** Why the store accepts no writes; null while it does. */
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
  /** Who may enter; null if the settings disable the pages. */
  doorOf(config: ServerConfig): Omit<ConsoleDoor, 'url'> | null;
  /** The key of the world that a visitor sees, by their cookies; null for the first one. */
  worldOf(cookies: string | null): string | null;
  /** The content of two ports, if the pages have their own. */
  split(app: Handle, settings: AppSettings): { console: Handle; others: Handle };
  mount(router: Router, host: SiteHost): void;
}
