import type { App, AppRoom } from '@topup-kit/core/app';
import type { DueWork, EmitEvent, Engine, FixedKey, WorldClock } from '@topup-kit/core/engine';
import type { LocalGateway } from '@topup-kit/core/gateway';
import type { Clock, MonotonicClock } from '@topup-kit/core/platform';
import type { Store } from '@topup-kit/core/store';
import type { Supplier } from '@topup-kit/core/supplier';
import type { ControlRoute } from '../pages/api-page-request.ts';
import type { PageAction } from '../pages/payment-texts.ts';

/** A server's service for clients, or one of its worlds. */
export interface Service {
  app: App;
  dueWork: DueWork;
  findByPage: Engine['orders']['findByPage'];
  findByReference: Store['findOrderByReference'];
  handlePaymentEvent: Engine['handlePaymentEvent'];
}

/** A simulated world, as far as the house knows it. */
export interface SimulatedWorld {
  /** Its additions to the app. */
  room: AppRoom;
  /** Performs the action of a button on the payment page. */
  act(orderId: string, action: PageAction): Promise<unknown>;
  /** Called when orders may have changed. */
  note(): void;
  /** World time in unix milliseconds, and how far it is `ahead` of real time in milliseconds. */
  world(): { now: number; ahead: number };
}

/** The parts that a simulated world works with. */
export interface WorldHost {
  store: Store;
  engine: Engine;
  world: WorldClock;
  emit: EmitEvent;
  realClock: Clock;
  monotonicClock: MonotonicClock;
}

/** A room that simulates the world around a live server. Only a sandbox loads it. */
export interface Simulation<World extends SimulatedWorld> {
  /** Begins a world, whose gateway and supplier fail on request. `hasWorlds`: it may be one of several. */
  begin(of: { findOrder: Store['findOrder']; now: Clock; maxBodyBytes: number; hasWorlds: boolean }): {
    gateway(gateway: LocalGateway): LocalGateway;
    supplier(supplier: Supplier): Supplier;
    open(host: WorldHost): World;
  };
  /** Combines many worlds into one service; see its room. */
  createWorlds(deps: {
    first: Service;
    firstKeys: readonly FixedKey[];
    open: (name: string) => Service;
    worldOf: (cookies: string | null) => string | null;
  }): Service & { names: () => readonly string[] };
  /** Its routes, for the API page. */
  controlRoutes: readonly ControlRoute[];
}
