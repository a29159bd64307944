import { expect, it } from 'vitest';
import { nodeOptions, program } from '../../../soak/steady/index.ts';
import { rejectGrowth, runSteadily } from '../../../soak/steady/run.ts';
import { bundled } from '../../../test/shared.ts';
import { serverStarter } from './helpers/spawn-server.ts';

it('measures memory and open files, and checks every response', async () => {
  const start = serverStarter(await bundled(program), nodeOptions);
  const { requests, early, late } = await runSteadily(start, { seconds: 0.3, store: 'memory:', seed: 1 });
  expect(requests).toBeGreaterThan(10);
  expect(late.heap).toBeGreaterThan(1 << 20);
  expect(late.files).toBeGreaterThan(5);
  const leak = { ...early, heap: early.heap + (5 << 20) };
  expect(() => rejectGrowth({ early, late: leak })).toThrow('heap grew');
  expect(() => rejectGrowth({ early, late: { ...early, files: early.files + 17 } })).toThrow('files grew');
}, 30_000);
