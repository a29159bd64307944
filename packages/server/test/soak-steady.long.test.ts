import { it } from 'vitest';
import { nodeOptions, program } from '../../../soak/steady/index.ts';
import { rejectGrowth, runSteadily } from '../../../soak/steady/run.ts';
import { bundled } from '../../../test/shared.ts';
import { temporaryFolder } from './helpers/sandbox.ts';
import { serverStarter } from './helpers/spawn-server.ts';

it('keeps its memory and its number of open files stable under correct and incorrect use', async () => {
  await using folder = await temporaryFolder();
  const start = serverStarter(await bundled(program), nodeOptions);
  rejectGrowth(await runSteadily(start, { seconds: 20, store: `file:${folder.path}/topup.db`, seed: 1 }));
}, 60_000);
