import type { Controls } from './controls.ts';
import type { World } from './world-screen.ts';

/** Does something to the world, or nothing without a body; how it stands afterwards. */
export const askWorld = async (controls: Controls, path: string, body?: object): Promise<World> =>
  (await controls.ask(path, body)) as World; // safe: all that the server of this version answers there
