import type { App, AppRoom } from '@topup-kit/core/app';
import type { DueWork, EmitEvent, Engine, FixedKey, WorldClock } from '@topup-kit/core/engine';
import type { LocalGateway } from '@topup-kit/core/gateway';
import type { Clock, MonotonicClock } from '@topup-kit/core/platform';
import type { Store } from '@topup-kit/core/store';
import type { Supplier } from '@topup-kit/core/supplier';
import type { ControlRoute } from '../pages/api-page-request.ts';
import type { PageAction } from '../pages/payment-texts.ts';

/** Server's service for clients, or one of its worlds. */
export interface Service {
  app: App;
  dueWork: DueWork;
  findByPage: Engine['orders']['findByPage'];
  findByReference: Store['findOrderByReference'];
  handlePaymentEvent: Engine['handlePaymentEvent'];
}

/** Simulated world, as far as the code outside its room knows it. */
export interface SimulatedWorld {
  /** Additions of the world to the app. */
  room: AppRoom;
  /** Performs the action of a button on the payment page. */
  act(orderId: string, action: PageAction): Promise<unknown>;
  /** Called when orders may have changed. */
  note(): void;
  /** Returns world time in unix milliseconds, and how far it is `ahead` of real time, in milliseconds. */
  world(): { now: number; ahead: number };
}

/** Parts that a simulated world uses. */
export interface WorldHost {
  store: Store;
  engine: Engine;
  world: WorldClock;
  emit: EmitEvent;
  realClock: Clock;
  monotonicClock: MonotonicClock;
}

/** Room that simulates the world around a live server. Only a sandbox loads it. */
export interface Simulation<World extends SimulatedWorld> {
  /** Starts a world whose gateway and supplier fail on request. `hasWorlds`: the world may be one of several. */
  begin(of: { findOrder: Store['findOrder']; now: Clock; maxBodyBytes: number; hasWorlds: boolean }): {
    gateway(gateway: LocalGateway): LocalGateway;
    supplier(supplier: Supplier): Supplier;
    open(host: WorldHost): World;
  };
  /** Combines many worlds into one service; see the room of the sandbox. */
  createWorlds(deps: {
    first: Service;
    firstKeys: readonly FixedKey[];
    open: (name: string) => Service;
    worldOf: (cookies: string | null) => string | null;
  }): Service & { names: () => readonly string[] };
  /** Routes of the simulation, for the API page. */
  controlRoutes: readonly ControlRoute[];
}
