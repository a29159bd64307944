import { bundled } from '../../../../test/shared.ts';
import { serverStarter } from './spawn-server.ts';

export type { ServerProcess } from './spawn-server.ts';

/** Starts a sandbox server in its own process and waits until it is ready. */
export const startServerProcess = serverStarter(await bundled(new URL('serve.ts', import.meta.url)));
