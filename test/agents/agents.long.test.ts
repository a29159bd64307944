import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type PackageName, packageNames, unpackInto } from '../../scripts/pack.ts';
import { run } from '../../scripts/run.ts';
import { packed } from '../shared.ts';
import { php } from './php/judge.ts';
import { prepareTask, type TaskName, taskNames, tasks } from './tasks.ts';

// Some judges run a test runner ten times.
vi.setConfig({ testTimeout: 300_000 });

const root = join(import.meta.dirname, '../..');

interface Needs {
  /** What of the kit the solutions import. */
  packages: readonly PackageName[];
  /** What else they import, each with the folder of the workspace that has it. */
  others?: Readonly<Record<string, string>>;
  /** Why the wrong solution fails. */
  wrong: RegExp;
}

const needs: Record<TaskName, Needs> = {
  'place-and-wait': { packages: ['sdk'], wrong: /a failed delivery counts as a success/ },
  'webhook-express': {
    packages: ['sdk'],
    others: { express: 'examples/webhooks' },
    wrong: /a webhook got 400/,
  },
  'webhook-next': { packages: ['sdk'], wrong: /one line for each delivered order/ },
  'webhook-worker': { packages: ['sdk'], wrong: /one line for each delivered order/ },
  proxy: { packages: ['sdk'], others: { express: 'examples/proxy' }, wrong: /shows a phone number/ },
  'tests-vitest': { packages: ['sdk', 'mock'], others: { vitest: '.' }, wrong: /no test notices: a total/ },
  'tests-playwright': { packages: ['mock'], wrong: /no test notices: no polling/ },
  retry: { packages: ['sdk'], wrong: /must print the order of the first/ },
  'gateway-adapter': { packages: [], wrong: /still be on its way/ },
  php: { packages: [], wrong: /must print the order of the first/ },
};

/** Makes the folder of an assistant who has written this solution. */
async function solve(name: TaskName, solution: 'reference' | 'wrong'): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), `topup-task-${name}-`));
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 }));
  await prepareTask(name, folder, packed);
  await cp(join(import.meta.dirname, name, solution), folder, { recursive: true });
  const modules = join(folder, 'node_modules');
  if (name === 'tests-playwright') {
    const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', './packed/topup-kit-mock.tgz'];
    await run('npm', [...install, '@playwright/test', 'vite'], { cwd: folder, env });
    return folder;
  }
  for (const each of needs[name].packages) await unpackInto(modules, each, await packed(each));
  await mkdir(join(modules, '.bin'), { recursive: true });
  for (const [other, home] of Object.entries(needs[name].others ?? {})) {
    const source = await realpath(join(root, home, 'node_modules', other));
    await symlink(source, join(modules, other));
    const program = join(source, `${other}.mjs`);
    if (existsSync(program)) await symlink(program, join(modules, '.bin', other));
  }
  return folder;
}

describe.each(taskNames)('%s', (name) => {
  const isSkipped = name === 'php' && php === undefined;

  it.skipIf(isSkipped)('its reference solution passes', async () => {
    await tasks[name](await solve(name, 'reference'));
  });

  it.skipIf(isSkipped)('its wrong solution fails, for its fault', async () => {
    await expect(tasks[name](await solve(name, 'wrong'))).rejects.toThrow(needs[name].wrong);
  });
});

it('shows an assistant the task and the packages, and nothing of the judge', async () => {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'topup-task-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await prepareTask('place-and-wait', folder, packed);
  const files = (await run('find', ['.', '-type', 'f'], { cwd: folder })).trim().split('\n').toSorted();
  const tarballs = packageNames.map((name) => `./packed/topup-kit-${name}.tgz`);
  expect(files).toEqual(['./TASK.md', ...tarballs].toSorted());
  const text = await readFile(join(folder, 'TASK.md'), 'utf8');
  expect(text).toMatch(/^# Your task\n[\s\S]*Write `order\.mjs`/);
});
