import type { AppSettings } from '@topup-kit/core/app';
import type { Alert, EngineDependencies, Room } from '@topup-kit/core/engine';
import type { Clock } from '@topup-kit/core/platform';
import type { HashCustomer, Store } from '@topup-kit/core/store';
import type { Logger } from 'pino';
import type { ServerConfig } from '../config/config.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Router } from './site.ts';

export interface FeatureHost {
  config: ServerConfig;
  /** That of the first world. */
  store: Store;
  logger: Logger;
  metrics: Pick<Metrics, 'registry' | 'gauge'>;
  realClock: Clock;
  hashCustomer: HashCustomer | undefined;
  /** Whether requests of clients keep the server busy. */
  isBusy: () => boolean;
  closing: AbortSignal;
  /** Disposed of when the server has closed. */
  resources: AsyncDisposableStack;
}

/** What the engine of a world is made of. */
export type World = Omit<EngineDependencies, 'rooms'> & { store: Store };

/** What a room adds to a world. */
export interface WorldRoom {
  /** Its work in the engine. */
  work: Room;
  /** Adds its routes to the app. */
  mount?: (router: Router, settings: AppSettings) => void;
}

export interface RunningFeature {
  inWorld?: (world: World) => WorldRoom;
  /** Called with all alerts every few seconds; false when they have to come again. */
  noteAlerts?: (alerts: readonly Alert[]) => Promise<boolean>;
}

/** Starts a room; null when the settings don't want it. */
export type Feature = (host: FeatureHost) => Promise<RunningFeature | null>;
