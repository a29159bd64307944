import type { SimulatedWorld, Simulation } from '../service/world.ts';
import type { SandboxWorld } from './sandbox/room.ts';

/** A simulated world, with what its room adds. */
export type Simulated = SimulatedWorld & SandboxWorld;

/** The room that simulates worlds, which a live server does not load. */
export const simulation: { sandbox?: () => Promise<Simulation<Simulated>> } = {
  sandbox: async () => (await import('./sandbox/room.ts')).sandboxRoom,
};
