import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PackageName, packageNames, tarballOf } from '../../scripts/pack.ts';
import { judge as gatewayAdapter } from './gateway-adapter/judge.ts';
import type { Judge } from './helpers.ts';
import { judge as phpShop } from './php/judge.ts';
import { judge as placeAndWait } from './place-and-wait/judge.ts';
import { judge as proxy } from './proxy/judge.ts';
import { judge as retry } from './retry/judge.ts';
import { judge as testsPlaywright } from './tests-playwright/judge.ts';
import { judge as testsVitest } from './tests-vitest/judge.ts';
import { judge as webhookExpress } from './webhook-express/judge.ts';
import { judge as webhookNext } from './webhook-next/judge.ts';
import { judge as webhookWorker } from './webhook-worker/judge.ts';

/** What an assistant gets as a task, and how the result is judged. Each has a folder of the same name here. */
export const tasks = {
  'place-and-wait': placeAndWait,
  'webhook-express': webhookExpress,
  'webhook-next': webhookNext,
  'webhook-worker': webhookWorker,
  proxy,
  'tests-vitest': testsVitest,
  'tests-playwright': testsPlaywright,
  retry,
  'gateway-adapter': gatewayAdapter,
  php: phpShop,
} as const satisfies Record<string, Judge>;

export type TaskName = keyof typeof tasks;
export const taskNames = Object.keys(tasks) as TaskName[]; // Safe: these are the keys of a constant table.

const preamble = `# Your task

Work in this folder, and read nothing outside of it. Node 24 and npm are installed. The packages of Topup Kit are in \`packed\`. Install
those that you need, such as \`npm install ./packed/topup-kit-sdk.tgz\`. They contain their documentation. You may install other
packages with npm. Check your result before you say that you are done: somebody else judges it by tests that you don't see.

`;

/** Fills an empty folder with what an assistant sees of a task: its text, its first files, and the packages. */
export async function prepareTask(
  name: TaskName,
  folder: string,
  tarball: (name: PackageName) => Promise<string> | string,
): Promise<void> {
  const home = join(import.meta.dirname, name);
  await mkdir(join(folder, 'packed'), { recursive: true });
  await writeFile(join(folder, 'TASK.md'), preamble + (await readFile(join(home, 'task.md'), 'utf8')));
  const start = join(home, 'start');
  if (existsSync(start)) await cp(start, folder, { recursive: true });
  for (const each of packageNames) await cp(await tarball(each), join(folder, 'packed', tarballOf(each)));
}
