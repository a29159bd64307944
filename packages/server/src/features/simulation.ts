import type { SimulatedWorld, Simulation } from '../service/world.ts';
import type { SandboxWorld } from './sandbox/room.ts';

/** A simulated world with its controls. */
export type Simulated = SimulatedWorld & SandboxWorld;

/** Room that simulates worlds. A live server doesn't load it. */
export const simulation: { sandbox?: () => Promise<Simulation<Simulated>> } = {
  sandbox: async () => (await import('./sandbox/room.ts')).sandboxRoom,
};
