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
  /** Store of the first world. */
  store: Store;
  logger: Logger;
  metrics: Pick<Metrics, 'registry' | 'gauge'>;
  realClock: Clock;
  hashCustomer: HashCustomer | undefined;
  /** Tells whether clients' requests keep the server busy. */
  isBusy: () => boolean;
  closing: AbortSignal;
  /** Disposed of after the server has closed. */
  resources: AsyncDisposableStack;
}

/** The parts of a world's engine. */
export type World = Omit<EngineDependencies, 'rooms'> & { store: Store };

/** All additions of a room to a world. */
export interface WorldRoom {
  /** The room's work in the engine. */
  work: Room;
  /** Adds the room's routes to the app. */
  mount?: (router: Router, settings: AppSettings) => void;
}

export interface RunningFeature {
  inWorld?: (world: World) => WorldRoom;
  /** Called with all alerts every few seconds; returns false to get them again. */
  noteAlerts?: (alerts: readonly Alert[]) => Promise<boolean>;
}

/** Starts a room; null if the settings don't enable it. */
export type Feature = (host: FeatureHost) => Promise<RunningFeature | null>;
