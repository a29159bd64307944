import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from './helpers/sandbox.ts';
import { shutDownUnderLoad } from './helpers/shut-down.ts';

it('a hundred servers that are stopped under load cut no request, and end within 5 seconds', async () => {
  await using folder = await temporaryFolder();
  const cut: string[] = [];
  let responses = 0;
  let slowest = 0;
  for (let round = 0; round < 100; round += 1) {
    const run = await shutDownUnderLoad(
      round % 2 === 0 ? 'memory:' : `file:${join(folder.path, 'topup.db')}`,
    );
    cut.push(...run.cut);
    responses += run.responses;
    slowest = Math.max(slowest, run.milliseconds);
  }
  process.stdout.write(`responses ${responses}, cut ${cut.length}, slowest ${Math.round(slowest)} ms\n`);
  expect(cut).toEqual([]);
  expect(slowest).toBeLessThan(5_000);
}, 600_000);
