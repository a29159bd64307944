import type { App, AppRoom } from '@topup-kit/core/app';
import type { DueWork, Emit, Engine, FixedKey, WorldClock } from '@topup-kit/core/engine';
import type { LocalGateway } from '@topup-kit/core/gateway';
import type { Clock, MonotonicClock } from '@topup-kit/core/platform';
import type { Store } from '@topup-kit/core/store';
import type { Supplier } from '@topup-kit/core/supplier';
import type { ControlRoute } from '../pages/api-page-request.ts';
import type { PageAction } from '../pages/payment-texts.ts';

/** What a server does for its clients, or one of its worlds. */
export interface Service {
  app: App;
  dueWork: DueWork;
  findByPage: Engine['orders']['findByPage'];
  findByReference: Store['findOrderByReference'];
  handlePaymentEvent: Engine['handlePaymentEvent'];
}

/** A world that is simulated, as the house sees it. */
export interface SimulatedWorld {
  /** What it adds to the app. */
  room: AppRoom;
  /** Does what a button of the payment page says. */
  act(orderId: string, action: PageAction): Promise<unknown>;
  /** Called when something may have happened to orders. */
  note(): void;
  /** World time in unix milliseconds, and how far it is `ahead` of real time in milliseconds. */
  world(): { now: number; ahead: number };
}

/** What the simulation of a world works with. */
export interface WorldHost {
  store: Store;
  engine: Engine;
  world: WorldClock;
  emit: Emit;
  realClock: Clock;
  monotonicClock: MonotonicClock;
}

/** A room that simulates what others do with a live server. Only a sandbox loads it. */
export interface Simulation<World extends SimulatedWorld> {
  /** Begins a world, whose gateway and supplier fail when they are asked to. */
  begin(of: { findOrder: Store['findOrder']; now: Clock; maxBodyBytes: number }): {
    gateway(gateway: LocalGateway): LocalGateway;
    supplier(supplier: Supplier): Supplier;
    open(host: WorldHost): World;
  };
  /** Combines many worlds into one service; see its room. */
  createWorlds(deps: {
    first: Service;
    firstKeys: readonly FixedKey[];
    open: (fixedKey: FixedKey) => Service;
    worldOf: (cookies: string | null) => string | null;
  }): Service & { keys: () => readonly string[] };
  /** Its routes, for the API page. */
  controlRoutes: readonly ControlRoute[];
}
