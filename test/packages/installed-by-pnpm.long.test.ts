import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { packageNames } from '../../scripts/pack.ts';
import { run } from '../../scripts/run.ts';
import { packed } from '../shared.ts';

// The short form is test/journeys/pnpm.slow.test.ts, where pnpm installs all packages together.
vi.setConfig({ testTimeout: 120_000 });

/** The Node that the tests run on comes first: the machine may have an older one. */
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);

it.each(packageNames)('installs %s alone with pnpm, and runs it', async (name) => {
  const project = await mkdtemp(join(await realpath(tmpdir()), `topup-kit-${name}-pnpm-`));
  onTestFinished(() => rm(project, { recursive: true }));
  await run('npx', ['-y', 'pnpm@12', 'add', '--prefer-offline', await packed(name)], {
    cwd: project,
    env: { ...process.env, PATH },
  });

  const load =
    name === 'cli'
      ? ['npx', '--offline', 'topup', '--version']
      : ['node', '--eval', `require('@topup-kit/${name}')`];
  const [program = '', ...args] = load;
  await expect(run(program, args, { cwd: project, env: { PATH } })).resolves.toBeDefined();
});
